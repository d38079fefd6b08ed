"""What tests of sweeps need: a function, small file systems, and a SLURM of their own."""

import os
import secrets
import shutil
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import study


@pytest.fixture
def wave():
    return study.wave


@pytest.fixture
def threads():
    """Workers that start at once; what a sweep promises does not depend on its executor."""
    with ThreadPoolExecutor(8) as pool:
        yield pool


@pytest.fixture
def same():
    """A check that two data sets are the same, bit by bit."""

    def check(a, b):
        assert a.identical(b)
        assert list(a.variables) == list(b.variables)
        for name in a.variables:
            assert a[name].dtype == b[name].dtype, name
            assert np.ascontiguousarray(a[name].values).tobytes() == np.ascontiguousarray(b[name].values).tobytes()

    return check


@pytest.fixture
def mounted(tmp_path):
    """Small file systems in memory: ``mounted(kilobytes)`` gives a folder, ``mounted.again(folder, options)``."""
    folders = []

    def mount(kilobytes):
        if os.geteuid() != 0:
            pytest.skip("mounting a file system needs root")
        folder = tmp_path / f"disk{len(folders)}"
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.strip()}")
        folders.append(folder)
        return folder

    def again(folder, options):
        subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True, capture_output=True)

    mount.again = again
    yield mount
    for folder in folders:
        subprocess.run(["umount", "-l", str(folder)], check=True)


NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "scancel", "sinfo")


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """A SLURM of one node on this machine, with ports, keys and folders of its own; ended whatever happens."""
    missing = [name for name in NEEDED if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin") is None]
    if missing:
        pytest.skip(f"no SLURM here ({', '.join(missing)}): apt-get install slurm-wlm munge")
    if os.geteuid() != 0:
        pytest.skip("a SLURM of one's own needs root")
    folder = tmp_path_factory.mktemp("slurm")
    _configure(folder)
    kept = {name: os.environ.get(name) for name in ("SLURM_CONF", "PATH")}
    os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    started = []

    def start(*command):
        with open(folder / f"{command[0]}.out", "w") as told:
            started.append(subprocess.Popen(command, stdout=told, stderr=subprocess.STDOUT))

    try:
        names = {"socket": "munge.socket", "key-file": "munge.key", "pid-file": "munge.pid", "log-file": "munge.log",
                 "seed-file": "munge.seed"}  # fmt: skip
        start("munged", "--foreground", "--force", *(f"--{k}={folder / v}" for k, v in names.items()))
        _await((folder / "munge.socket").exists, folder)
        start("slurmctld", "-D")
        start("slurmd", "-D")
        asked = ["sinfo", "--noheader", "--format=%T"]
        _await(lambda: subprocess.run(asked, capture_output=True, text=True, check=False).stdout == "idle\n", folder)
        yield folder
    finally:
        for process in reversed(started):
            process.terminate()
        for process in started:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _await(ready, folder, seconds=60):
    until = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > until:
            told = "\n".join(f"{p.name}: {p.read_text()[-500:]}" for p in folder.glob("*.out"))
            pytest.fail(f"SLURM does not start: {told}")
        time.sleep(0.05)


def _configure(folder):
    (folder / "munge.key").write_bytes(secrets.token_bytes(1024))
    (folder / "munge.key").chmod(0o400)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    host = socket.gethostname().split(".")[0]
    facts = {
        "ClusterName": "festina",
        "SlurmctldHost": f"{host}(127.0.0.1)",
        "SlurmctldPort": _port(),
        "SlurmdPort": _port(),
        "AuthType": "auth/munge",
        "CredType": "cred/munge",
        "AuthInfo": f"socket={folder}/munge.socket",
        "SlurmUser": "root",
        "SlurmdUser": "root",
        "StateSaveLocation": folder / "state",
        "SlurmdSpoolDir": folder / "spool",
        "SlurmctldPidFile": folder / "slurmctld.pid",
        "SlurmdPidFile": folder / "slurmd.pid",
        "ProctrackType": "proctrack/linuxproc",
        "TaskPlugin": "task/none",
        "JobAcctGatherType": "jobacct_gather/none",
        "MpiDefault": "none",
        "SelectType": "select/cons_tres",
        "SelectTypeParameters": "CR_CPU",
        "SchedulerParameters": "batch_sched_delay=0,sched_interval=1",
        "ReturnToService": 2,
        "KillWait": 1,
    }
    lines = [f"{name}={value}" for name, value in facts.items()]
    lines += [
        f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN",
        "PartitionName=here Nodes=ALL Default=YES MaxTime=INFINITE State=UP",
    ]
    (folder / "slurm.conf").write_text("\n".join(lines) + "\n")
    # SLURM asks for control groups even where it is told to use none; an empty folder will do
    (folder / "cgroup.conf").write_text(f"CgroupPlugin=cgroup/v1\nCgroupMountpoint={folder}/cgroup\n")


def _port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
