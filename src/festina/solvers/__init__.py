"""Ordinary differential equations: the states at given times, or an error that says why not."""
