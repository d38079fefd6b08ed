"""What several experiments share: networks, training runs and measures, one file for each subject."""
