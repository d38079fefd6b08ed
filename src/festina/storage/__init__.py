"""Files: written atomically, checked when they are read, and never executed."""

from festina.storage.description import Described as Described
from festina.storage.labelled import Labelled as Labelled
