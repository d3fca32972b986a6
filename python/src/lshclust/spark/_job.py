"""The driver: each step of a run is a Spark job, and the driver puts together what the tasks leave."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .. import _command
from .._errors import Failed
from . import _rows, _storage
from ._frames import END, HEADER, RECEIPT, body
from ._tasks import FAILED, SCHEMA, doing

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: Rows of a batch that Spark hands to a task. A row has at most 256 KiB.
_BATCH_ROWS = 32

_BATCH_CONF = "spark.sql.execution.arrow.maxRecordsPerBatch"

#: Bytes that the parts of a task read together, if they are small: about a second of work. A task of Spark takes a
#: tenth of a second of processor time, whatever it does, and a process for each part reads the tables of a step again.
_TASK = 32 << 20


class Job:
    """A run that is built on Spark."""

    def __init__(
        self,
        spark: SparkSession,
        out: str,
        staging: str | os.PathLike[str] | None,
        blocks: str | None,
        cache: str | os.PathLike[str] | None,
        binary: str | os.PathLike[str] | None,
        take: Callable[[bytes], None],
    ):
        self.spark, self.out, self.blocks_at, self.take = spark, os.path.abspath(out), blocks, take
        folder = self.out + ".staging" if staging is None else os.fspath(staging)
        self.remote = _storage.is_url(folder)
        self.name = hashlib.sha256(self.out.encode()).hexdigest()[:16]
        self.staging = _storage.below(folder, "lshclust-" + self.name)
        if not self.remote:
            self.staging = os.path.abspath(self.staging)
        self.cache = None if cache is None else os.fspath(cache)
        self.binary = _command.binary() if binary is None else os.fspath(binary)
        self.urls: dict[str, str] = {}  # of inputs, by the path of their copies
        self.flags: list[str] = []  # of tasks
        self.staged: dict[str, dict[str, Any]] = {}  # files, by their digests
        self.steps = 0
        self.blocks: DataFrame | None = None

    def begin(self, inputs: Any, flags: list[str], files: int, inputs_at: str, memory: int | str | None) -> None:
        """Begin the run, or open a stopped one."""
        _register()
        if hasattr(inputs, "mapInArrow"):
            with self._small_batches():
                paths = _rows.written(inputs, _storage.below(self.staging, "inputs"), files)
        else:
            paths = _command.paths(inputs)
        if memory is not None:
            self.flags = [f"--memory={memory}"]
        there = []
        for path in paths:
            if not _storage.is_url(path):
                there.append(os.path.abspath(path))
                continue
            for url in _storage.expand(path):
                copy = os.path.normpath(os.path.join(inputs_at, url.partition("?")[0].replace("://", "/")))
                self.urls[copy] = url
                if not os.path.exists(copy):
                    _storage.get(url, copy)
                there.append(copy)
        _command.run(["cluster", "--begin", "--quiet", f"--output={self.out}", *flags, "--", *there])

    def run(self) -> None:
        """Do all stages, and remove what the workers needed."""
        with self._small_batches():
            while not os.path.exists(os.path.join(self.out, "run.json")):
                task = json.loads(_command.run(["task", "--run", self.out]))
                if task["step"]:
                    self._do(task)
                else:
                    _command.run(["task", task["stage"], "--finish", f"--run={self.out}", *self.flags])
                    self._tell("done", stage=task["stage"])
        if self.blocks is not None and not self.blocks_at:
            self.blocks.unpersist()
        _storage.remove(self.staging)
        if not self.remote:
            with contextlib.suppress(OSError):
                os.rmdir(os.path.dirname(self.staging))  # if nobody else uses it
        for copy in self.urls:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(copy)
                os.unlink(copy + ".lock")

    def _do(self, task: dict[str, Any]) -> None:
        """Do the missing parts of a step."""
        self._tell("stage", stage=task["step"], unit="parts", total=task["parts"])
        plan = self._plan(task)
        if "inputs" in task:  # blocks of all parts are needed, also of those that are done
            plan["tasks"] = [[number, number] for number in range(1, task["parts"] + 1)]
            self._remember(plan)
            rows = self._read(plan)
        else:
            plan["tasks"] = together(task["missing"], _sizes(task))
            tickets = self._tickets(len(plan["tasks"]))
            blocks = self._shuffled(task, plan["tasks"]) if task.get("shuffled") else tickets
            rows = blocks.mapInArrow(doing(plan), SCHEMA)
        self._accept(self._receipts(rows, plan), plan)
        self._tell("at", done=task["parts"])

    def _plan(self, task: dict[str, Any]) -> dict[str, Any]:
        """Return what the tasks of a step have to know, and put the files that they need where they find them."""
        self.steps += 1
        plan: dict[str, Any] = {name: task[name] for name in ("stage", "step", "parts")}
        plan |= {"run": self.name, "name": f"{self.steps:03d}-{task['step']}", "inputs": task.get("inputs", {})}
        plan |= {"urls": self.urls, "cache": self.cache, "output": None}
        # A task of many has one core. The only one of its step may use all of the machine.
        plan["flags"] = [*self.flags, f"--workers={int(task['parts'] > 1)}"]
        state, files, each = task["state"], task.get("files", []), task.get("each", {})
        if not self.remote:
            plan["folder"] = self._folder(
                plan["name"], state, [*files, *(file for more in each.values() for file in more)]
            )
            plan["binary"] = {"path": self._shared_binary()}
            return plan
        plan["output"] = _storage.below(self.staging, "output", plan["name"])
        plan["files"] = [self._put(file) for file in [*state, *files]]
        plan["each"] = {number: [self._put(file) for file in more] for number, more in each.items()}
        plan["binary"] = self._put({"name": "lshclust", "digest": "lshclust"}, self.binary)
        return plan

    def _folder(self, name: str, state: list[dict[str, Any]], files: list[dict[str, Any]]) -> str:
        """Make a folder in staging with files of the run under their names. The state is copied, since it changes."""
        folder = os.path.join(self.staging, "steps", name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(os.path.join(folder, "work"))
        for file in state:
            shutil.copyfile(os.path.join(self.out, file["name"]), os.path.join(folder, file["name"]))
        for file in files:
            _storage.link(os.path.join(self.out, file["name"]), os.path.join(folder, file["name"]))
        return folder

    def _shared_binary(self) -> str:
        """Return the path of a copy of the command that all workers see."""
        path = os.path.join(self.staging, "lshclust")
        if not os.path.exists(path):
            os.makedirs(self.staging, exist_ok=True)
            shutil.copy(self.binary, path + ".part")
            os.replace(path + ".part", path)
        return path

    def _put(self, file: dict[str, Any], path: str | None = None) -> dict[str, Any]:
        """Put a file of the run to staging, unless it is there, and return what a worker needs to get it."""
        if file["digest"] not in self.staged:
            path = path or os.path.join(self.out, file["name"])
            url = _storage.below(self.staging, "files", file["digest"])
            self.staged[file["digest"]] = _storage.put(path, url)
        return self.staged[file["digest"]] | {"name": file["name"]}

    def _remember(self, plan: dict[str, Any]) -> None:
        """Keep the plan of the read stage, by which the blocks are made again if another process continues the run."""
        path = os.path.join(self.out, "work", "spark-read.json") if self.remote else self._remembered()
        with open(path, "w") as f:
            json.dump(plan, f)
        if self.remote:
            _storage.put(path, self._remembered())
            os.unlink(path)

    def _remembered(self) -> str:
        return _storage.below(self.staging, "read.json")

    def _recalled(self) -> dict[str, Any]:
        path = self._remembered()
        if self.remote:
            path = os.path.join(self.out, "work", "spark-read.json")
            _storage.get(self._remembered(), path)
        with open(path) as f:
            plan: dict[str, Any] = json.load(f)
        if self.remote:
            os.unlink(path)
        return plan

    def _read(self, plan: dict[str, Any]) -> DataFrame:
        """Return all frames of the read stage, which later steps take blocks from."""
        from pyspark import StorageLevel

        rows = self._tickets(len(plan["tasks"])).mapInArrow(doing(plan), SCHEMA)
        if self.blocks_at:
            rows.write.mode("overwrite").parquet(self.blocks_at)
            self.blocks = self.spark.read.parquet(self.blocks_at)
        else:
            self.blocks = rows.persist(StorageLevel.DISK_ONLY)
        return self.blocks

    def _shuffled(self, task: dict[str, Any], tasks: list[list[int]]) -> DataFrame:
        """Return the blocks for the parts of tasks, with those of each task in a partition of Spark."""
        from pyspark.sql import functions as F

        if self.blocks is None:
            self._read(self._recalled())
        assert self.blocks is not None
        of_part = [-1] * task["parts"]
        for n, (first, last) in enumerate(tasks):
            of_part[first - 1 : last] = [n] * (last - first + 1)
        (shuffled,) = task["shuffled"]
        part = "0" if shuffled["to"] == "all" else "part"
        rows = self.blocks.filter(F.col("kind") == shuffled["kind"])
        rows = rows.select(F.expr(_element(of_part, part)).alias("task"), "frame").filter("task >= 0")
        # Tasks without blocks are done too.
        return self._apart(rows.unionByName(self._tickets(len(tasks), 1)), len(tasks)).select("task", "frame")

    def _apart(self, rows: DataFrame, tasks: int) -> DataFrame:
        """Put the rows of each task into a partition of Spark, which needs no sort then."""
        from pyspark.sql import functions as F

        # The hash of a number depends on its type: keys computes that of a long.
        key = F.expr(_element(keys(tasks), "task")).cast("long")
        return rows.withColumn("key", key).repartition(tasks, "key")

    def _tickets(self, tasks: int, partitions: int | None = None) -> DataFrame:
        """Return a row without a frame for each task, each in a partition unless told otherwise."""
        ids = self.spark.range(0, tasks, 1, partitions or tasks)
        return ids.selectExpr("cast(id as int) as task", "cast(null as binary) as frame")

    def _receipts(self, rows: DataFrame, plan: dict[str, Any]) -> list[bytes]:
        """Let Spark do the tasks, and return the receipts of the attempts that it took."""
        try:
            return [bytes(row.frame) for row in rows.filter(f"kind = {RECEIPT}").select("frame").collect()]
        except Exception as e:
            raise Failed(_reason(str(e), plan)) from e

    def _accept(self, receipts: list[bytes], plan: dict[str, Any]) -> None:
        """Take the files of the attempts into the run, and remove those of attempts that were given up."""
        for file in (file for receipt in receipts for file in json.loads(body(receipt))["files"]):
            target = os.path.join(self.out, file["left"])
            if plan["output"] is None:
                shutil.move(os.path.join(plan["folder"], file["left"]), target)
            else:
                _storage.get(_storage.below(plan["output"], os.path.basename(target)), target)
        _command.run(["task", "--accept", f"--run={self.out}"], stdin=HEADER + b"".join(receipts) + END)
        if plan["output"] is not None:
            _storage.remove(plan["output"])
        elif not plan["inputs"]:  # tasks of the read stage may be done again later
            _storage.remove(plan["folder"])

    def _tell(self, event: str, **more: Any) -> None:
        self.take(json.dumps({"event": event, **more}).encode())

    @contextlib.contextmanager
    def _small_batches(self) -> Iterator[None]:
        """Let Spark hand over few rows at a time, since a row is a block."""
        before = self.spark.conf.get(_BATCH_CONF)
        self.spark.conf.set(_BATCH_CONF, str(_BATCH_ROWS))
        try:
            yield
        finally:
            self.spark.conf.set(_BATCH_CONF, str(before))


def together(parts: list[int], sizes: dict[int, int]) -> list[list[int]]:
    """Return the first and the last part of each task, by the sizes of the parts."""
    tasks: list[list[int]] = []
    size = _TASK
    for part in parts:
        more = max(1, sizes[part])
        if size + more > _TASK or part != tasks[-1][1] + 1:
            tasks.append([part, part])
            size = 0
        tasks[-1][1] = part
        size += more
    return tasks


def keys(n: int) -> list[int]:
    """Return numbers that Spark distributes over n partitions, one each."""
    first: dict[int, int] = {}
    number = 0
    while len(first) < n:
        first.setdefault(_hash(number) % n, number)
        number += 1
    return [first[place] for place in range(n)]


def _hash(number: int) -> int:
    """Return Spark's hash of a long below 2^32, by which it finds the partition of a row: Murmur3 with the seed 42."""

    def rotated(x: int, by: int) -> int:
        return (x << by | x >> (32 - by)) & 0xFFFFFFFF

    h = 42
    for word in (number, 0):
        h ^= rotated(word * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF
        h = (rotated(h, 13) * 5 + 0xE6546B64) & 0xFFFFFFFF
    h ^= 8  # bytes
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    h ^= h >> 16
    return h - (h >> 31 << 32)


def _sizes(task: dict[str, Any]) -> dict[int, int]:
    """Return how many bytes each part of a step reads that no other part reads.

    If no part reads such bytes, it is what lets as many parts share a task as the command says.
    """
    sizes = {int(part): sum(file["bytes"] for file in files) for part, files in task.get("each", {}).items()}
    for shuffled in task.get("shuffled", []):
        sizes |= dict(enumerate(shuffled["bytes"], 1))
    return sizes or dict.fromkeys(task["missing"], _TASK // task["several"])


def _element(of: list[int], at: str) -> str:
    """Return the expression of Spark for the number of a list at a place, from 0."""
    return f"element_at(array({', '.join(map(str, of))}), {at} + 1)"


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
