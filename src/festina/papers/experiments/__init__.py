"""One file per figure or claim of the papers; the folder is scanned, nothing is registered."""
