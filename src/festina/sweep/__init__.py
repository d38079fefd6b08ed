"""Many settings, many seeds, one store, one or many machines; what is finished is never lost and never repeated."""

from festina.sweep._dask import Dask as Dask
from festina.sweep._open import open_sweep as open_sweep
from festina.sweep._pool import Pool as Pool
from festina.sweep._run import sweep as sweep
from festina.sweep._slurm import Slurm as Slurm
from festina.sweep._status import Failure as Failure
from festina.sweep._status import Status as Status
from festina.sweep._status import sweep_status as sweep_status
