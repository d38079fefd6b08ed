"""Errors of an executor."""


class ExecutorLostError(RuntimeError):
    """The executor accepts no tasks, or its cluster does not answer; finished results are kept."""


class WorkerLostError(RuntimeError):
    """The process that ran a task ended before the task did."""
