"""Pages of a DataFrame as Parquet files, which are inputs like others."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FILE = "lshclust file"
_ROW_GROUP = 32 << 20  # bytes


def written(frame: DataFrame, folder: str, files: int) -> list[str]:
    """Write the rows of a DataFrame into a number of Parquet files, and return the paths of those with rows.

    A hash of all columns of a row determines its file, and the rows of a file are sorted by all columns. So the files
    do not depend on the distribution or the order of the rows.
    """
    from pyspark.sql import functions as F

    columns = [F.col(f"`{name}`") for name in frame.columns]
    rows = frame.withColumn(_FILE, F.pmod(F.xxhash64(*columns), F.lit(files)).cast("int"))
    sorted_rows = rows.repartition(files, _FILE).sortWithinPartitions(_FILE, *columns)
    names = [row.name for row in sorted_rows.mapInArrow(_writing(folder), "name string").collect()]
    return [os.path.join(folder, name) for name in sorted(names)]


def _writing(folder: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function for mapInArrow that writes sorted rows and yields the names of the files."""

    def write(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for number, group in itertools.groupby(_pieces(batches), key=lambda piece: piece[0]):
            name = f"{number:05d}.parquet"
            _write(os.path.join(folder, name), (rows for _, rows in group))
            yield pa.record_batch([[name]], names=["name"])

    return write


def _pieces(batches: Iterator[Any]) -> Iterator[tuple[int, Any]]:
    """Split batches where the number of the file changes."""
    for batch in batches:
        at = batch.schema.get_field_index(_FILE)
        numbers = batch.column(at).to_pylist()
        columns = [i for i in range(batch.num_columns) if i != at]
        start = 0
        for number, same in itertools.groupby(numbers):
            count = len(list(same))
            yield number, batch.slice(start, count).select(columns)
            start += count


def _write(path: str, batches: Iterator[Any]) -> None:
    """Write batches to a file that appears when it is complete. Attempts of one task write the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet

    os.makedirs(os.path.dirname(path), exist_ok=True)
    target = f"{path}.{os.getpid()}.part"
    first = next(batches)
    with pyarrow.parquet.ParquetWriter(target, first.schema, compression="zstd") as writer:
        held, size = [first], first.nbytes
        for batch in batches:
            if size >= _ROW_GROUP:
                writer.write_table(pa.Table.from_batches(held))
                held, size = [], 0
            held.append(batch)
            size += batch.nbytes
        writer.write_table(pa.Table.from_batches(held))
    os.replace(target, path)
