"""What runs the computations: compiled programs, devices, processor cores, progress."""
