"""Files of texts without near-duplicates."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import _command
from ._errors import SkippedInput


def dedup(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    near: float | None = None,
    contained: float | None = None,
    keep: str | None = None,
    by: str | None = None,
    seen: Iterable[str | os.PathLike[str]] = (),
    against: Iterable[str | os.PathLike[str]] = (),
    remove: bool = False,
    ignore_common: bool = False,
    most_lost: float | None = None,
    map: Mapping[str, str] | None = None,  # noqa: A002 - as in the command
    strict: bool = False,
    dry_run: bool = False,
    parquet: bool = False,
    workers: int | None = None,
    memory: str | None = None,
) -> dict[str, Any]:
    """Write files of texts to a folder without near-duplicates, and return the report.

    The files keep their names, formats and compression, and the kept records their bytes and order. ``removed.jsonl`` in
    the folder, or ``removed.parquet`` if ``parquet`` is true, names for each removed record the one that stands for
    it. The options are those of ``lshclust dedup``.

    Warns:
        SkippedInput: some input could not be read; everything else is written.

    Raises:
        UsageError: an option has an invalid value, or an input does not exist.
        Failed: a file loses more than ``most_lost``, or ``out`` was made from other inputs or with other options.
    """
    given = {"near": near, "contained": contained, "keep": keep, "by": by, "most-lost": most_lost}
    given |= {"workers": workers, "memory": memory}
    flags = arguments(given, seen, against, map or {}, strict=strict, dry_run=dry_run, remove=remove, ignore_common=ignore_common, parquet=parquet)
    try:
        _command.run(["dedup", "--quiet", f"--output={os.fspath(out)}", *flags, "--", *_command.paths(inputs)])
    except SkippedInput as skipped:
        warnings.warn(skipped, stacklevel=2)
    report: dict[str, Any] = json.loads((Path(out) / "report.json").read_bytes())
    return report


def arguments(given: Mapping[str, Any], seen: Any, against: Any, map: Mapping[str, str], **switches: bool) -> list[str]:  # noqa: A002
    """Return options as arguments of the command."""
    flags = [f"--{name}={value}" for name, value in given.items() if value is not None]
    flags += [f"--seen={os.fspath(path)}" for path in seen]
    flags += [f"--against={os.fspath(path)}" for path in against]
    flags += [f"--map={field}={column}" for field, column in map.items()]
    return flags + [f"--{name.replace('_', '-')}" for name, on in switches.items() if on]
