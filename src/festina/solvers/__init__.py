"""Ordinary differential equations: one stepper with its schemes, SciPy's solvers for stiff ones, and their checks."""
