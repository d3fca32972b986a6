"""Asks the command about a run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from . import _command, _tables
from ._errors import Error

if TYPE_CHECKING:
    import pyarrow


def flags(**given: Any) -> list[str]:
    """Return arguments as flags of the command, without those that are None or False."""
    return [
        f"--{name.replace('_', '-')}={str(v).lower() if v is True else v}"
        for name, v in given.items()
        if v is not None and v is not False
    ]


class Asker:
    """Asks the command about the run at a path."""

    path: Path
    columns: ClassVar[dict[str, str]]

    def _about(self, verb: str, url: str | Iterable[str], flags: list[str], *kinds: str) -> pyarrow.Table:
        """Ask about one URL or several in one process."""
        if isinstance(url, str):
            return self._rows(verb, flags, *kinds, arguments=[url])
        lines = "".join(f"{u}\n" for u in url)
        return (
            self._rows(verb, [*flags, "--urls=-"], *kinds, stdin=lines.encode()) if lines else self._table(b"", *kinds)
        )

    def _rows(
        self, verb: str, flags: list[str], *kinds: str, arguments: list[str] | None = None, stdin: bytes | None = None
    ) -> pyarrow.Table:
        """Run the command and return its rows as a table of one of the kinds."""
        try:
            answer = _command.run([verb, "--format=jsonl", *flags, "--", str(self.path), *(arguments or [])], stdin)
        except Error as e:
            # A killed command leaves an incomplete row. Its message matters, whatever it printed.
            e.answer = self._table(e.answer[: e.answer.rfind(b"\n") + 1], *kinds)
            raise
        return self._table(answer, *kinds)

    def _query(
        self, document: str | os.PathLike[str] | None, text: str | bytes | None, flags: list[str]
    ) -> pyarrow.Table:
        """Ask who has a document, or a text."""
        if (document is None) == (text is None):
            raise TypeError("query() takes one of document and text")
        if "--by=host" in flags:
            flags = [*flags, "--passages=0"]
        stdin = text.encode() if isinstance(text, str) else text
        return self._rows(
            "query", flags, "query", arguments=["-" if document is None else os.fspath(document)], stdin=stdin
        )

    def _explain(self, a: str, b: str, flags: list[str]) -> dict[str, Any]:
        why: dict[str, Any] = json.loads(_command.run(["explain", "--format=json", *flags, "--", str(self.path), a, b]))
        return why

    def _table(self, lines: bytes, *kinds: str) -> pyarrow.Table:
        return _tables.read(lines, *(self.columns[kind] for kind in kinds))
