"""The settings of the command, as listed by ``lshclust config --format json``, as arguments of Python."""

from __future__ import annotations

import difflib
import functools
import json
import os
from typing import Any

from . import _command


@functools.cache
def _known() -> dict[str, list[dict[str, Any]]]:
    known: dict[str, list[dict[str, Any]]] = json.loads(_command.run(["config", "--format", "json"]))
    return known


def settings() -> list[dict[str, Any]]:
    """Return the settings of :func:`lshclust.cluster`, as the command lists them.

    Each has ``name``, ``type``, ``doc``, ``group``, ``default`` and, by preset, ``presets``.
    """
    return _known()["settings"]


def options() -> list[dict[str, Any]]:
    """Return the options of :func:`lshclust.cluster`, which change no table: memory, disk, workers and others."""
    return _known()["options"]


def arguments(given: dict[str, Any]) -> list[str]:
    """Return settings and options as flags of the command. None stands for the default, and from_ for from.

    Raises:
        TypeError: there is no such setting. The command checks the values.
    """
    known = {p["name"]: p for p in [*settings(), *options()]}
    flags: list[str] = []
    for keyword, value in given.items():
        name = keyword.removesuffix("_")  # from is a word of Python itself
        if name not in known:
            near = difflib.get_close_matches(name, known, 3)
            raise TypeError(f"cluster() has no setting {keyword!r}" + (f"; is it {' or '.join(near)}?" if near else ""))
        if value is not None:
            flags += [f"{known[name]['flag']}={text}" for text in _texts(value, known[name])]
    return flags


def _texts(value: Any, of: dict[str, Any]) -> list[str]:
    """Return a value as strings, one for each time the flag is given."""
    if of["type"] not in ("strings", "numbers") or isinstance(value, str):
        return [_text(value)]
    texts = [_text(v) for v in value]
    if of["type"] == "numbers" or not texts and of["default"]:
        return [",".join(texts)]
    return texts


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)
