"""Rows that the command prints as JSON Lines, as pyarrow tables."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow


@functools.cache
def _schema(columns: str) -> pyarrow.Schema:
    import pyarrow as pa

    types = {"s": pa.string(), "l": pa.list_(pa.string()), "f": pa.float64(), "i": pa.int64(), "b": pa.bool_()}
    types["q"] = pa.struct([(name, pa.string()) for name in ("source", "before", "anchor", "after")])
    fields = (column.split(":") for column in columns.split())
    return pa.schema([(name, types[kind]) for name, kind in fields])


def read(lines: bytes, *kinds: str) -> pyarrow.Table:
    """Return rows as a table of the last kind with matching columns, or of the first kind if there are no rows.

    Raises:
        ArrowInvalid: the rows have other columns, so this package and the command have different versions.
    """
    import pyarrow as pa
    import pyarrow.json

    schemas = [_schema(kind) for kind in kinds]
    if not lines:
        return schemas[0].empty_table()
    first = lines.partition(b"\n")[0]
    fitting = [s for s in schemas if all(b'"%s":' % name.encode() in first for name in s.names)]
    chosen = (fitting or schemas)[-1]
    return pyarrow.json.read_json(
        pa.BufferReader(lines),
        read_options=pyarrow.json.ReadOptions(block_size=max(1 << 20, len(lines) + 1)),
        parse_options=pyarrow.json.ParseOptions(explicit_schema=chosen, unexpected_field_behavior="error"),
    )
