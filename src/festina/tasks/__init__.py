"""What is to be learned: one file per task."""

from festina.tasks._hierarchy import hierarchy as hierarchy
