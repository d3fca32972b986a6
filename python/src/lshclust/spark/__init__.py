"""Clusters a crawl on Apache Spark. Spark schedules the parts of a run and retries them; the command does the work.

>>> import lshclust.spark
>>> run = lshclust.spark.cluster(spark, "s3://bucket/crawl/", "/shared/crawl.run")
>>> run.related("https://www.sqlite.org/", n=5)

The run is byte for byte that of ``lshclust.cluster``. docs/spark.md of the project tells what clusters need.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .. import _progress, _settings
from .._run import Run
from ._job import Job

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

    from .._keywords import Settings

__all__ = ["cluster"]


def cluster(
    spark: SparkSession,
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | DataFrame,
    out: str | os.PathLike[str],
    *,
    files: int = 64,
    binary: str | os.PathLike[str] | None = None,
    progress: bool | _progress.Listener = True,
    **settings: Unpack[Settings],
) -> Run:
    """Cluster a crawl on Spark into a run directory, and open the run.

    If the same call was stopped before, it continues the run, and repeats at most one step of it.

    Args:
        spark: a session, classic or Connect.
        inputs: paths that all workers see, or URLs of files and folders that pyarrow.fs opens: ``s3://``, ``gs://``,
            ``abfss://``, ``hdfs://``. Or a DataFrame with pages: columns url and html or text, and others that the
            command knows, such as time.
        out: the run directory to write, on a file system that the driver and all workers see under the same path.
            ``OUT.staging`` beside it holds the command and copies of inputs until the run is finished.
        files: the number of files that a DataFrame is written to.
        binary: the command for the workers, if they are of another platform than the driver.
        progress: show bars; or a function that is called with each event of the progress.
        settings: settings and options of ``lshclust cluster``. ``memory`` holds for each task, and on the driver.

    Raises:
        Failed: a task failed for good. The message names stage, step, part and reason.
        TypeError, UsageError, Refused: as by :func:`lshclust.cluster`.
    """
    flags = _settings.arguments(dict(settings))
    take, close = _progress.listener(progress)
    job = Job(spark, os.fspath(out), binary, take)
    try:
        job.begin(inputs, flags, files, settings.get("memory"))
        job.run()
    finally:
        close()
    return Run(out)
