"""Which pages of a crawl belong together.

>>> import lshclust
>>> run = lshclust.cluster("crawl.warc.gz", "crawl.run")
>>> run.related("https://www.sqlite.org/", limit=5).to_pylist()

The work is done by the command ``lshclust``, which comes with this package. Settings, defaults, checks and messages are
those of the command. Answers are tables of pyarrow.
"""

from __future__ import annotations

import importlib.metadata
import os

from ._command import binary
from ._dedup import dedup
from ._errors import Error, Failed, Interrupted, Refused, SkippedInput, UsageError
from ._run import Run, cluster, demo
from ._settings import options, settings

__version__ = importlib.metadata.version("lshclust")
__all__ = [
    "Error",
    "Failed",
    "Interrupted",
    "Refused",
    "Run",
    "SkippedInput",
    "UsageError",
    "binary",
    "cluster",
    "dedup",
    "demo",
    "open",
    "options",
    "settings",
]


def open(run: str | os.PathLike[str]) -> Run:  # noqa: A001 - as in lshclust.open(run)
    """Open a finished run.

    Raises:
        Failed: the run is not finished, or its manifest is damaged.
        UsageError: there is no such folder.
    """
    return Run(run)
