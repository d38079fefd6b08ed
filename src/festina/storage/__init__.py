"""Files: written atomically, checked when they are read, and never executed."""
