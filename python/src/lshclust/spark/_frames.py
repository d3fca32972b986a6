"""Frames, the form of what goes to and comes from ``lshclust task --frames``.

docs/format.md of the project describes them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO

HEADER = b"LSHFRAME" + struct.pack("<II", 1, 0)
END = bytes.fromhex("0000000005000000ffffffff2ffed9f4")
RECEIPT = 4

_PREFIX = "<IIiI"  # length of the body, kind, part, checksum
_SIZE = struct.calcsize(_PREFIX)
_LAST = 5


def read(stream: IO[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """Yield the kind, the part and all bytes of each frame before the end frame.

    Raises:
        EOFError: the stream ends before its end frame.
    """
    if _exactly(stream, len(HEADER)) != HEADER:
        raise EOFError("these are no frames of this version")
    while True:
        prefix = _exactly(stream, _SIZE)
        length, kind, part, _ = struct.unpack(_PREFIX, prefix)
        frame = prefix + _exactly(stream, length)
        if kind == _LAST:
            return
        yield kind, part, frame


def body(frame: bytes) -> bytes:
    """Return what a frame holds."""
    return frame[_SIZE:]


def _exactly(stream: IO[bytes], size: int) -> bytes:
    read = stream.read(size)
    if len(read) < size:
        raise EOFError("the frames end before their end frame")
    return read
