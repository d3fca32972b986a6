"""Clusters a crawl on Apache Spark. Spark moves blocks, schedules and tries again; the command does the work.

>>> import lshclust.spark
>>> run = lshclust.spark.cluster(spark, "s3://bucket/crawl/", "crawl.run", staging="s3://bucket/tmp")
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
    staging: str | os.PathLike[str] | None = None,
    blocks: str | None = None,
    files: int = 64,
    inputs_at: str | os.PathLike[str] = "/tmp/lshclust-inputs",
    cache: str | os.PathLike[str] | None = None,
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
        out: the run directory to write, on the machine of the driver.
        staging: a folder that the driver and all workers can read and write, as a path or a URL; the default is
            ``OUT.staging``, for runs whose directory all workers see. What is put there is removed in the end.
        blocks: a folder into which Spark writes the blocks of the read stage as Parquet, as a path or URL that Spark
            itself can write. By default, the blocks are persisted on the disks of the executors, which Databricks
            serverless cannot do. A lost executor then costs reading what it had read.
        files: the number of files in staging that a DataFrame is written to.
        inputs_at: the folder, the same on all machines, for copies of inputs that are named by URLs.
        cache: the folder on the workers for copies of files in staging; by default one of Spark's own local folders.
        binary: the command for the workers, if they are of another platform than the driver.
        progress: show bars; or a function that is called with each event of the progress.
        settings: settings and options of ``lshclust cluster``. ``memory`` holds for each task, and on the driver.

    Raises:
        Failed: a task failed for good. The message names stage, step, part and reason.
        TypeError, UsageError, Refused: as by :func:`lshclust.cluster`.
    """
    flags = _settings.arguments(dict(settings))
    take, close = _progress.listener(progress)
    job = Job(spark, os.fspath(out), staging, blocks, cache, binary, take)
    try:
        job.begin(inputs, flags, files, os.path.abspath(inputs_at), settings.get("memory"))
        job.run()
    finally:
        close()
    return Run(out)
