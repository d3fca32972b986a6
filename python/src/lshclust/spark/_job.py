"""The driver: each step of a run is a Spark job, whose tasks do its parts in the run directory."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _command
from .._errors import Failed
from . import _rows, _storage
from ._tasks import FAILED, doing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Job:
    """A run, or a job of dedup, whose parts are done on Spark."""

    def __init__(
        self, spark: SparkSession, out: str, binary: str | os.PathLike[str] | None, take: Callable[[bytes], None]
    ):
        self.spark, self.out, self.take = spark, os.path.abspath(out), take
        self.staging = self.out + ".staging"
        self.binary = _command.binary() if binary is None else os.fspath(binary)
        self.flags: list[str] = []  # of tasks

    def begin(
        self, command: str, inputs: Any, flags: list[str], files: int = 0, memory: int | str | None = None
    ) -> None:
        """Begin what the command does, or go on with what was stopped."""
        _register()
        if hasattr(inputs, "mapInArrow"):
            paths = _rows.written(inputs, os.path.join(self.staging, "inputs"), files)
        else:
            paths = _command.paths(inputs)
        if memory is not None:
            self.flags = [f"--memory={memory}"]
        there = []
        for path in paths:
            if _storage.is_url(path):
                there += _storage.copied(path, os.path.join(self.staging, "inputs"))
            else:
                there.append(os.path.abspath(path))
        _command.run([command, "--begin", "--quiet", f"--output={self.out}", *flags, "--", *there])

    def run(self, done: str) -> None:
        """Do all stages until a file is there, and remove what the workers needed."""
        while not os.path.exists(os.path.join(self.out, done)):
            task = json.loads(_command.run(["task", "--run", self.out]))
            if task["step"]:
                self._do(task)
            else:
                _command.run(["task", task["stage"], "--finish", f"--run={self.out}", *self.flags])
                self._tell("done", stage=task["stage"])
        shutil.rmtree(self.staging, ignore_errors=True)

    def _do(self, task: dict[str, Any]) -> None:
        """Do the missing parts of a step."""
        self._tell("stage", stage=task["step"], unit="parts", total=task["parts"])
        plan = {name: task[name] for name in ("stage", "step", "parts")}
        plan |= {"run": self.out, "binary": self._shared_binary()}
        # One of many tasks has one core. The only task of a step may use the whole machine.
        plan["flags"] = [*self.flags, f"--workers={int(task['parts'] > 1)}"]
        tasks = plan["tasks"] = together(task["missing"], task["several"])
        try:
            self.spark.range(0, len(tasks), 1, len(tasks)).mapInArrow(doing(plan), "id long").collect()
        except Exception as e:
            raise Failed(_reason(str(e), plan)) from e
        self._tell("at", done=task["parts"])

    def _shared_binary(self) -> str:
        """Return the path of a copy of the command that all workers see."""
        path = os.path.join(self.staging, "lshclust")
        if not os.path.exists(path):
            os.makedirs(self.staging, exist_ok=True)
            shutil.copy(self.binary, path + ".part")
            os.replace(path + ".part", path)
        return path

    def _tell(self, event: str, **more: Any) -> None:
        self.take(json.dumps({"event": event, **more}).encode())


def together(parts: list[int], several: int) -> list[list[int]]:
    """Return the first and the last part of each task, which does at most several consecutive parts."""
    tasks: list[list[int]] = []
    for part in parts:
        if tasks and part == tasks[-1][1] + 1 and part - tasks[-1][0] < several:
            tasks[-1][1] = part
        else:
            tasks.append([part, part])
    return tasks


def _register() -> None:
    """Let Spark send the functions of this package to the workers, rather than their names."""
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__package__])


def _reason(said: str, plan: dict[str, Any]) -> str:
    """Return the message of the task that failed, which Spark puts between traces."""
    _, found, message = said.partition(FAILED)
    if found:
        return message.partition("\n")[0].strip()
    return f"stage {plan['stage']}, step {plan['step']}: Spark gave up: {said.strip().partition(chr(10))[0]}"
