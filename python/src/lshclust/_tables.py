"""Rows that the command prints as JSON Lines, as tables of pyarrow."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow


@functools.cache
def _schemas() -> dict[str, pyarrow.Schema]:
    import pyarrow as pa

    words = pa.list_(pa.string())
    similar = [
        ("query", pa.string()), ("url", pa.string()), ("relation", pa.string()), ("resemblance", pa.float64()),
        ("of_this", pa.float64()), ("of_other", pa.float64()), ("estimate", pa.float64()), ("samples", pa.int64()),
    ]  # fmt: skip
    return {
        kind: pa.schema(fields)
        for kind, fields in {
            "related": [
                ("query", pa.string()), ("neighbour", pa.string()), ("similarity", pa.float64()), ("agreement", pa.float64()),
                ("shared", words), ("found", pa.string()), ("together", pa.int64()),
            ],
            "words": [("words", pa.string()), ("document", pa.string()), ("score", pa.float64()), ("matched", words)],
            "duplicates": similar,
            "estimated duplicates": [*similar, ("estimated", pa.bool_()), ("std_error", pa.float64())],
            "topical_clusters": [
                ("cluster_id", pa.string()), ("label", pa.string()), ("size", pa.int64()), ("crawled", pa.int64()),
                ("hosts", pa.int64()), ("top_host", pa.string()), ("top_host_share", pa.float64()), ("center", pa.string()),
            ],
            "topical_members": [
                ("cluster_id", pa.string()), ("label", pa.string()), ("cluster_size", pa.int64()), ("url", pa.string()),
                ("title", pa.string()), ("similarity", pa.float64()), ("crawled", pa.bool_()), ("inlinks", pa.int64()),
                ("inlink_hosts", pa.int64()), ("anchors", words),
            ],
            "syntactic_clusters": [
                ("cluster_id", pa.string()), ("representative", pa.string()), ("size", pa.int64()), ("distinct", pa.int64()),
                ("chained", pa.int64()), ("links", pa.int64()), ("lowest_link", pa.float64()), ("diameter", pa.int64()),
                ("diameter_most", pa.int64()),
            ],
            "syntactic_members": [
                ("cluster_id", pa.string()), ("cluster_size", pa.int64()), ("representative", pa.string()), ("url", pa.string()),
            ],
        }.items()
    }  # fmt: skip


#: The kinds of rows about similar texts: of runs that keep whole sets of shingles, and of those that keep sketches.
SIMILAR = ("duplicates", "estimated duplicates")


def read(lines: bytes, *kinds: str) -> pyarrow.Table:
    """Return rows as a table of the last of the kinds whose columns they have, or of the first kind if there are no rows.

    Raises:
        ArrowInvalid: the rows have other columns, so that this package and the command are not of one version.
    """
    import pyarrow as pa
    import pyarrow.json

    schemas = [_schemas()[kind] for kind in kinds]
    if not lines:
        return schemas[0].empty_table()
    first = lines[: lines.index(b"\n")]
    fitting = [s for s in schemas if all(b'"%s":' % name.encode() in first for name in s.names)]
    chosen = (fitting or schemas)[-1]
    return pyarrow.json.read_json(
        pa.BufferReader(lines),
        read_options=pyarrow.json.ReadOptions(block_size=max(1 << 20, len(lines) + 1)),
        parse_options=pyarrow.json.ParseOptions(explicit_schema=chosen, unexpected_field_behavior="error"),
    )
