"""Finds the command and runs it."""

from __future__ import annotations

import functools
import importlib.metadata
import logging
import os
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from ._errors import error

log = logging.getLogger("lshclust")


@functools.cache
def binary() -> str:
    """Return the path of the command that came with this package."""
    name = "lshclust.exe" if sys.platform == "win32" else "lshclust"
    files = importlib.metadata.files("lshclust") or []
    places = [
        *(Path(f.locate()) for f in files if f.name == name),
        Path(__file__).resolve().parents[1] / "bin" / name,  # pip install --target moves it there
        Path(sysconfig.get_path("scripts")) / name,
    ]
    for place in places:
        if place.is_file():
            return str(place.resolve())
    raise FileNotFoundError(
        f"the command is at none of {', '.join(map(str, places))}; install the package lshclust again"
    )


def run(
    arguments: Iterable[str], stdin: bytes | None = None, each_line: Callable[[bytes], None] | None = None
) -> bytes:
    """Run the command to its end and return its standard output.

    Args:
        arguments: the command line without the name of the command.
        stdin: its standard input.
        each_line: called with every line of standard output while the command runs; the result is then empty.

    An interrupt (Ctrl-C, or a stopped cell of a notebook) is passed on once, so that the command saves its state, and
    then raised as KeyboardInterrupt with the message of the command. A second one kills the command.
    """
    # In a group of its own, the command does not also receive the interrupt of the terminal, which it would take for a
    # second one.
    new_group = 0
    if sys.platform == "win32":
        new_group = subprocess.CREATE_NEW_PROCESS_GROUP
    child = subprocess.Popen(
        [binary(), *arguments],
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=sys.platform != "win32",
        creationflags=new_group,
    )
    assert child.stdout is not None and child.stderr is not None
    stderr = child.stderr
    said: list[bytes] = []
    helpers = [threading.Thread(target=lambda: said.append(stderr.read()), daemon=True)]
    if stdin is not None:
        helpers.append(threading.Thread(target=_feed, args=(child, stdin), daemon=True))
    for helper in helpers:
        helper.start()
    answer, stopped = b"", None  # type: bytes, BaseException | None
    try:
        if each_line is None:
            answer = child.stdout.read()
        else:
            for line in child.stdout:
                each_line(line)
        child.wait()
    except BaseException as e:  # an interrupt, or an error of each_line
        stopped = e
        _stop(child)
    child.stdout.close()
    for helper in helpers:
        helper.join()
    stderr.close()
    message = b"".join(said).decode("utf-8", "replace")
    if isinstance(stopped, KeyboardInterrupt):
        raise KeyboardInterrupt(str(error(130, message))) from None
    if stopped is not None:
        raise stopped
    if child.returncode != 0:
        raise error(child.returncode, message, answer)
    if message:
        log.info("%s", message.rstrip())
    return answer


def _feed(child: subprocess.Popen[bytes], stdin: bytes) -> None:
    assert child.stdin is not None
    try:
        with child.stdin:
            child.stdin.write(stdin)
    except OSError:
        pass  # it ended without reading everything


def _stop(child: subprocess.Popen[bytes]) -> None:
    """Interrupt the command and wait until it has saved its state."""
    assert child.stdout is not None
    if sys.platform == "win32":
        child.send_signal(signal.CTRL_BREAK_EVENT)
    else:
        child.send_signal(signal.SIGINT)
    try:
        # Read what it still writes, so that it does not block.
        child.stdout.read()
        child.wait()
    except KeyboardInterrupt:
        child.kill()
        child.wait()


def paths(inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return one or several paths as a list of strings."""
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    return [os.fspath(p) for p in inputs]
