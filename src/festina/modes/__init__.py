"""The mathematics of one mode: its closed form, and chains of layers."""
