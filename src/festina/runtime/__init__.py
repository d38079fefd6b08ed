"""Execution of computations: compiled programs, devices, processor cores, threads, progress."""

from festina.runtime.device import on_cpu as on_cpu
from festina.runtime.processor import cores as cores
from festina.runtime.progress import bar as bar
from festina.runtime.progress import shown as shown
from festina.runtime.progress import track as track
from festina.runtime.threads import few_threads as few_threads
from festina.runtime.threads import small_algebra as small_algebra
