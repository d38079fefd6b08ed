"""The error of an executor that does not answer any more."""


class LostError(RuntimeError):
    """The executor takes no tasks, or its cluster does not answer; what is finished is kept."""
