"""Setups shared by several experiments: networks, training runs and measures, one file for each subject."""
