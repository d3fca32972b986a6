"""The exit codes of the command as exceptions."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """The command failed. ``str`` is its message, as it is on the command line.

    Each exit code other than 0 has a subclass.
    """

    exit_code: int = 0

    def __init__(self, message: str, exit_code: int | None = None, answer: Any = None):
        super().__init__(message)
        if exit_code is not None:
            self.exit_code = exit_code
        #: The partial answer of the command: if the run lacks one of many URLs, the rows of the others.
        self.answer = answer


class Failed(Error):
    """It failed, or it finished and found a stated condition: a run lacks a URL, a check found damage."""

    exit_code = 1


class UsageError(Error):
    """A setting or an argument is invalid, or an input does not exist."""

    exit_code = 2


class SkippedInput(Error, UserWarning):
    """The run is built, but some input could not be read and was left out.

    :func:`lshclust.cluster` issues it as a warning. ``warnings.simplefilter("error", lshclust.SkippedInput)`` turns it
    into an exception.
    """

    exit_code = 3


class Refused(Error):
    """The memory, the disk or a budget is too small."""

    exit_code = 4


class Interrupted(Error):
    """The command was interrupted, but not by this program. The same call continues the run."""

    exit_code = 130


_classes: dict[int, type[Error]] = {c.exit_code: c for c in (Failed, UsageError, SkippedInput, Refused, Interrupted)}


def error(code: int, said: str, answer: Any = None) -> Error:
    """Return the exception for an exit code and the standard error of the command."""
    lines = [line.removeprefix("lshclust: ") for line in said.splitlines()]
    ended = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    message = "\n".join(lines).strip() or f"lshclust {ended}"
    return _classes.get(code, Error)(message, code, answer)
