"""Checks of arguments, and words for shapes."""
