"""Many settings, many seeds, one folder, one or many machines; what is finished is never lost and never repeated."""

from festina.sweeps._cluster import Dask as Dask
from festina.sweeps._cluster import Slurm as Slurm
from festina.sweeps._code import code_version as code_version
from festina.sweeps._code import festina_version as festina_version
from festina.sweeps._code import load_file as load_file
from festina.sweeps._open import open_sweep as open_sweep
from festina.sweeps._sweep import Failure as Failure
from festina.sweeps._sweep import Status as Status
from festina.sweeps._sweep import sweep as sweep
from festina.sweeps._sweep import sweep_status as sweep_status
