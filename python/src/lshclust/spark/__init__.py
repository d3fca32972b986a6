"""Clusters a crawl, or removes near-duplicates, on Apache Spark. Spark schedules the parts and retries them; the command
does the work.

>>> import lshclust.spark
>>> run = lshclust.spark.cluster(spark, "s3://bucket/crawl/", "/shared/crawl.run")
>>> run.related("https://www.sqlite.org/", limit=5)
>>> report = lshclust.spark.dedup(spark, "/shared/corpus/", "/shared/clean", near=0.7)

What is written is byte for byte that of ``lshclust.cluster`` and ``lshclust.dedup``. docs/spark.md of the project tells what clusters need.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import _dedup, _progress, _settings
from .._run import Run
from ._job import Job

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

    from .._keywords import Settings

__all__ = ["cluster", "dedup"]


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
        job.begin("cluster", inputs, flags, files, settings.get("memory"))
        job.run("run.json")
    finally:
        close()
    return Run(out)


def dedup(
    spark: SparkSession,
    inputs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    seen: Iterable[str | os.PathLike[str]] = (),
    against: Iterable[str | os.PathLike[str]] = (),
    map: Mapping[str, str] | None = None,  # noqa: A002 - as in the command
    strict: bool = False,
    dry_run: bool = False,
    remove: bool = False,
    ignore_common: bool = False,
    parquet: bool = False,
    memory: str | None = None,
    binary: str | os.PathLike[str] | None = None,
    progress: bool | _progress.Listener = True,
    **options: Any,
) -> dict[str, Any]:
    """Write files of texts to a folder without near-duplicates, on Spark, and return the report.

    The output is byte for byte that of :func:`lshclust.dedup`, whose options these are. The folder must be on a file
    system that the driver and all workers see under the same path. If the same call was stopped before, it continues.

    Raises:
        Failed: a task failed for good, or the output was made from other inputs or with other options.
        UsageError: as by :func:`lshclust.dedup`.
    """
    given = {name.replace("_", "-"): value for name, value in options.items()}
    there = [[os.path.abspath(path) for path in paths] for paths in (seen, against)]
    flags = _dedup.arguments(given, *there, map or {}, strict=strict, dry_run=dry_run, remove=remove, ignore_common=ignore_common, parquet=parquet)
    take, close = _progress.listener(progress)
    job = Job(spark, os.fspath(out), binary, take)
    try:
        job.begin("dedup", inputs, flags, memory=memory)
        job.run("report.json")
    finally:
        close()
    with open(os.path.join(job.out, "report.json"), "rb") as f:
        said: dict[str, Any] = json.load(f)
    return said
