"""What runs on the workers: each part of a step is done by a process of the command, and rows move to it and from it.

The functions go to the workers by value, so that this package need not be there. pyarrow has to be, which Spark needs
for mapInArrow.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ._frames import END, HEADER, RECEIPT, body, read
from ._storage import below, get, link, put

#: Rows of tasks: the kind of a frame, the part that it must reach, the whole frame.
SCHEMA = "kind int, part int, frame binary"

#: Begins the message of a task that failed, by which the driver finds it in what Spark reports.
FAILED = "lshclust task failed: "

_BATCH = 4 << 20  # bytes of a batch of rows


def doing(plan: dict[str, Any]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function for mapInArrow that does the parts of a step, task by task.

    Its rows have the columns task and frame, and no rows of another task are between those of one. A row without a
    frame only makes sure that the task is done.
    """

    def do(batches: Iterator[Any]) -> Iterator[Any]:
        rows = (row for batch in batches for row in zip(batch["task"].to_pylist(), batch["frame"]))
        for task, blocks in itertools.groupby(rows, key=lambda row: row[0]):
            first, last = plan["tasks"][task]
            yield from _batched(_done(plan, first, last, (frame.as_buffer() for _, frame in blocks if frame.is_valid)))

    return do


def _batched(rows: Iterable[tuple[int, int, bytes]]) -> Iterator[Any]:
    """Put rows together to batches of Arrow."""
    import pyarrow as pa

    schema = pa.schema([("kind", pa.int32()), ("part", pa.int32()), ("frame", pa.binary())])
    batch: list[tuple[int, int, bytes]] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += len(row[2])
        if size >= _BATCH:
            yield pa.record_batch([list(column) for column in zip(*batch)], schema=schema)
            batch, size = [], 0
    if batch:
        yield pa.record_batch([list(column) for column in zip(*batch)], schema=schema)


def _done(plan: dict[str, Any], first: int, last: int, blocks: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
    """Do consecutive parts, and yield their frames: blocks for other parts, and in the end the receipts."""
    parts = f"part {first}" if first == last else f"parts {first} to {last}"
    name = f"stage {plan['stage']}, step {plan['step']}, {parts} of {plan['parts']}"
    numbers = [str(number) for number in range(first, last + 1)]
    try:
        with contextlib.ExitStack() as until_done:
            inputs = [i for number in numbers for i in plan.get("inputs", {}).get(number, [])]
            for path, url in [(i["path"], plan["urls"].get(i["path"])) for i in inputs]:
                if url is not None:
                    until_done.enter_context(_fetched(url, path))
            binary, scratch = _prepared(plan, numbers)
            which = str(first) if first == last else f"{first}-{last}"
            for kind, part, frame in _ran(binary, scratch, plan, which, blocks):
                if kind == RECEIPT and plan["output"] is not None:
                    _take_away(json.loads(body(frame)), scratch, plan["output"])
                yield kind, part, frame
    except (OSError, EOFError) as e:
        raise RuntimeError(f"{FAILED}{name}: {e}") from e


def _ran(
    binary: str, scratch: str, plan: dict[str, Any], which: str, blocks: Iterable[Any]
) -> Iterator[tuple[int, int, bytes]]:
    """Run the command for parts, and yield its frames. The receipts come when the command has ended well."""
    arguments = ["task", plan["step"], f"--part={which}/{plan['parts']}", f"--run={scratch}", "--frames", "--leave"]
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(
            [binary, *arguments, *plan["flags"]],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
        )
        assert child.stdin is not None and child.stdout is not None
        try:
            # A task that takes blocks prints nothing before it has taken all of them, so that it never waits for a
            # reader while this process waits for it to take a block.
            with contextlib.suppress(BrokenPipeError), child.stdin:
                for block in itertools.chain([HEADER], blocks, [END]):
                    child.stdin.write(block)
            receipts, problem = [], None
            try:
                for kind, part, frame in read(child.stdout):
                    if kind == RECEIPT:
                        receipts.append((kind, part, frame))
                    else:
                        yield kind, part, frame
            except EOFError as e:
                problem = e
            if (code := child.wait()) != 0 or problem is not None:
                said.seek(0)
                message = said.read().decode("utf-8", "replace").strip().replace("lshclust: ", "")
                ended = f"the command was killed by signal {-code}" if code < 0 else f"exit code {code}"
                raise OSError(message or (str(problem) if code == 0 else ended))
            yield from receipts
        finally:
            child.kill()
            child.wait()
            child.stdout.close()


def _prepared(plan: dict[str, Any], numbers: list[str]) -> tuple[str, str]:
    """Return the command and a folder with the files of the run that parts need."""
    if "folder" in plan:  # that all workers see
        return plan["binary"]["path"], plan["folder"]
    cache = _cache(plan)
    scratch = os.path.join(cache, plan["name"])
    with _locked(os.path.join(cache, "lock")):
        for file in [*plan["files"], *(file for number in numbers for file in plan["each"].get(number, []))]:
            here = os.path.join(scratch, file["name"])
            if not os.path.exists(here):
                link(_cached(cache, file), here)
        binary = _cached(cache, plan["binary"])
        os.chmod(binary, 0o755)
    return binary, scratch


def _cache(plan: dict[str, Any]) -> str:
    """Return the folder for copies of files. Spark removes it with its own local files."""
    local = os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0]
    return os.path.join(plan["cache"] or local or tempfile.gettempdir(), "lshclust-" + plan["run"])


def _cached(cache: str, file: dict[str, Any]) -> str:
    """Return the path of the copy of a file, which is fetched if it is not there."""
    path = os.path.join(cache, "files", file["sha256"])
    if not os.path.exists(path):
        get(file["url"], path, file["bytes"], file["sha256"])
    return path


def _take_away(receipt: dict[str, Any], scratch: str, output: str) -> None:
    """Move the output of an attempt to the folder where the driver finds it."""
    for file in receipt["files"]:
        path = os.path.join(scratch, file["left"])
        put(path, below(output, os.path.basename(path)))
        os.unlink(path)


@contextlib.contextmanager
def _fetched(url: str, path: str) -> Iterator[None]:
    """Keep a copy of an input at a path while it is needed. A file that is there already stays."""
    import fcntl

    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        mine = not os.path.exists(path)
        if mine:
            get(url, path)
        fcntl.flock(lock, fcntl.LOCK_SH)
        try:
            yield
        finally:
            if mine:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # nobody else reads it
                    os.unlink(path)


@contextlib.contextmanager
def _locked(path: str) -> Iterator[None]:
    import fcntl  # which Windows has not, where no worker runs, but perhaps a driver

    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
