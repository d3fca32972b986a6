"""Rows that the command prints as JSON Lines, as pyarrow tables."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow


#: The columns of each kind of rows: s is a text, l a list of texts, f and i are numbers, b is true or false, q is
#: a sentence with a link.
_COLUMNS = {
    "related": "of:s url:s name:s similarity:f links:f content:f cosine:f shared_neighbours:f relatedness:f "
    "from_links:f shared:l found:s together:i mirrors:l",
    "words": "query:s url:s name:s score:f matched:l in_title:l cluster_id:s cluster_label:l "
    "best:b called:s quote:q",
    "duplicates": "of:s url:s name:s relation:s resemblance:f of_this:f of_other:f estimate:f samples:i estimated:b "
    "std_error:f",
    "query": "query:s host:s url:s name:s relation:s resemblance:f of_this:f of_other:f samples:i std_error:f time:s "
    "last_time:s copies:i host_pages:i shared:i",
    "clusters": "id:s view:s size:i url:s name:s label:s crawled:i hosts:i host:s on_host:i distinct:i chained:i links:i "
    "lowest_link:f diameter:i diameter_most:i center:s",
    "members": "id:s size:i label:s path:s labels:s url:s name:s similarity:f crawled:b inlinks:i inlink_hosts:i anchors:l",
}


@functools.cache
def _schemas() -> dict[str, pyarrow.Schema]:
    import pyarrow as pa

    types = {"s": pa.string(), "l": pa.list_(pa.string()), "f": pa.float64(), "i": pa.int64(), "b": pa.bool_()}
    types["q"] = pa.struct([(name, pa.string()) for name in ("source", "before", "anchor", "after")])

    def schema(columns: str) -> pyarrow.Schema:
        fields = (column.split(":") for column in columns.split())
        return pa.schema([(name, types[kind]) for name, kind in fields])

    return {kind: schema(columns) for kind, columns in _COLUMNS.items()}


def read(lines: bytes, *kinds: str) -> pyarrow.Table:
    """Return rows as a table of the last kind with matching columns, or of the first kind if there are no rows.

    Raises:
        ArrowInvalid: the rows have other columns, so this package and the command have different versions.
    """
    import pyarrow as pa
    import pyarrow.json

    schemas = [_schemas()[kind] for kind in kinds]
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
