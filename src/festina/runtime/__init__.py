"""What runs the computations: compiled programs, devices, processor cores, progress."""

from festina.runtime.device import on_cpu as on_cpu
from festina.runtime.processor import cores as cores
from festina.runtime.progress import bar as bar
from festina.runtime.progress import shown as shown
from festina.runtime.progress import track as track
