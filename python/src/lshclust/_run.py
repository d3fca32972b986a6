"""Runs, with the answers of the command as pyarrow tables."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _command, _progress, _settings
from ._errors import Error, SkippedInput
from ._questions import Questions

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.dataset
    from typing_extensions import Unpack

    from ._keywords import Settings

View = Literal["topical", "syntactic"]


def cluster(
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    progress: bool | _progress.Listener = True,
    **settings: Unpack[Settings],
) -> Run:
    """Cluster a crawl into a run directory, and open the run.

    If the same call was stopped before, it continues the run; if it was finished, it opens the run. Ctrl-C, or stopping the cell of a notebook, saves the
    state, stops the command, and raises KeyboardInterrupt.

    Args:
        inputs: one path or several: WARC, WACZ, WAT, WET, ARC, CDX; JSON Lines, CSV, Parquet; folders and
            zips of HTML.
        out: the run directory to write. A finished run of other inputs or settings needs ``replace=True``.
        progress: whether to show bars, or a function to call with each event.
        settings: settings and options of ``lshclust cluster``, which :func:`settings` and :func:`options` list.

    Warns:
        SkippedInput: some input could not be read. The run contains the rest.

    Raises:
        TypeError: there is no setting with this name.
        UsageError: a setting has an invalid value, or an input does not exist.
        Refused: the memory or the disk is too small.
        Failed: everything else, such as an input without any page.
    """
    flags = _settings.arguments(dict(settings))
    try:
        return _build("cluster", out, progress, [*flags, "--", *_command.paths(inputs)])
    except SkippedInput as skipped:
        warnings.warn(skipped, stacklevel=2)
        return Run(out)


def demo(out: str | os.PathLike[str] = "lshclust-demo", *, progress: bool | _progress.Listener = True) -> Run:
    """Cluster the embedded sample, pages of the PostgreSQL 15 manual, and open the run.

    This takes a few seconds and also writes the pages to ``OUT-pages.jsonl.zst``. ``progress`` is that of
    :func:`cluster`.
    """
    return _build("demo", out, progress, [])


def _build(
    command: str, out: str | os.PathLike[str], progress: bool | _progress.Listener, arguments: list[str]
) -> Run:
    take, close = _progress.listener(progress)
    try:
        _command.run(
            [command, "--quiet", "--progress=json", f"--output={os.fspath(out)}", *arguments], each_line=take
        )
    finally:
        close()
    return Run(out)


class Run(Questions):
    """A finished run. :func:`lshclust.open` and :func:`lshclust.cluster` return it.

    Answers are pyarrow tables, for ``to_pandas()`` and ``polars.from_arrow``; DuckDB reads them by the names of Python
    variables. One process answers a question about many URLs, so ask about a list at once.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self._info: dict[str, Any] = json.loads(_command.run(["info", "--format=json", "--", str(self.path)]))

    def __repr__(self) -> str:
        counts = self._info["counts"]
        pages = counts.get("pages", 0) - counts.get("captures_superseded", 0)
        return f"<lshclust.Run {str(self.path)!r}: {pages} pages, {counts.get('documents', 0)} documents>"

    def info(self) -> dict[str, Any]:
        """Return the manifest of the run: settings, inputs, counts, stages, what was left out, and why."""
        return self._info

    # Tables of the run.

    def tables(self) -> list[str]:
        """Return the names of the Parquet tables of the run."""
        return [t["name"].removesuffix(".parquet") for t in self._info["tables"] if t["name"].endswith(".parquet")]

    def table(self, name: str, columns: list[str] | None = None) -> pyarrow.Table:
        """Return a table of the run, or some of its columns, from the memory-mapped Parquet file.

        docs/format.md of the project describes the tables and their columns.
        """
        import pyarrow.parquet

        return pyarrow.parquet.read_table(self._file(name), columns=columns, memory_map=True)

    def dataset(self, name: str) -> pyarrow.dataset.Dataset:
        """Return a table of the run without reading it: DuckDB and polars read what a query needs."""
        import pyarrow.dataset

        return pyarrow.dataset.dataset(self._file(name))

    def pages(self, columns: list[str] | None = None) -> pyarrow.Table:
        """Return a row for every document, crawled or only linked to."""
        return self.table("pages", columns)

    def pairs(self, view: View = "topical", columns: list[str] | None = None) -> pyarrow.Table:
        """Return the stored pairs of a view, each once, with their exact figures."""
        return self._of_view(view, "pairs", columns)

    def members(self, view: View = "topical", columns: list[str] | None = None) -> pyarrow.Table:
        """Return a row for every document of a view with its cluster. :meth:`clusters` lists the clusters."""
        return self._of_view(view, "clusters", columns)

    def tree(self) -> pyarrow.Table:
        """Return the nodes of the tree of topics in preorder."""
        return self.table("topical_tree")

    def check(self) -> None:
        """Verify the run down to the last checksum.

        Raises:
            Failed: it is damaged. ``answer`` lists the damage.
        """
        try:
            _command.run(["info", "--check", "--", str(self.path)])
        except Error as e:
            e.answer = e.answer.decode("utf-8", "replace")
            raise

    def _of_view(self, view: View, kind: str, columns: list[str] | None) -> pyarrow.Table:
        """Return a table of the syntactic view, which the run has, or of the topical view, which export makes."""
        if view == "syntactic":
            return self.table(f"syntactic_{kind}", columns)
        import pyarrow.parquet

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, f"{kind}.parquet")
            _command.run(["export", "-o", path, "--", str(self.path), f"topical_{kind}"])
            return pyarrow.parquet.read_table(path, columns=columns)

    def _file(self, name: str) -> str:
        if name not in self.tables():
            raise KeyError(f"the run has no table {name!r}; it has {', '.join(self.tables())}")
        return str(self.path / f"{name}.parquet")
