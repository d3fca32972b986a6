"""What runs on the workers: the command does parts of a step, and leaves them in the run directory.

The functions go to the workers by value, so that this package need not be there. pyarrow has to be, which Spark needs
for mapInArrow.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

#: The beginning of the message of a failed task, by which the driver finds it in the report of Spark.
FAILED = "lshclust task failed: "


def doing(plan: dict[str, Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function for mapInArrow that does the parts of the tasks whose numbers are its rows."""

    def do(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for task in batch["id"].to_pylist():
                _do(plan, *plan["tasks"][task])
            yield batch

    return do


def _do(plan: dict[str, Any], first: int, last: int) -> None:
    """Do consecutive parts. The command writes a receipt of each when all its files are complete."""
    which = str(first) if first == last else f"{first}-{last}"
    arguments = ["task", plan["step"], f"--part={which}/{plan['parts']}", f"--run={plan['run']}", *plan["flags"]]
    child = subprocess.run(
        [plan["binary"], *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_end_with_parent,
    )
    if child.returncode == 0:
        return
    code = child.returncode
    said = child.stderr.decode("utf-8", "replace").strip().replace("lshclust: ", "")
    ended = f"the command was killed by signal {-code}" if code < 0 else f"exit code {code}"
    parts = f"part {first}" if first == last else f"parts {first} to {last}"
    name = f"stage {plan['stage']}, step {plan['step']}, {parts} of {plan['parts']}"
    raise RuntimeError(f"{FAILED}{name}: {said or ended}")


def _end_with_parent() -> None:
    """Let the kernel kill this process when the worker ends, so that no attempt outlives its task."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
