"""Checks revisit records and their CDXJ index, read by warcio, against the WARC files.

    lshclust duplicates RUN --revisits revisits.warc.gz > revisits.cdxj
    python3 lab/revisits/check.py revisits.warc.gz revisits.cdxj WARC...     # needs warcio

Each revisit must be of a capture in the files, refer to an earlier one or one of the same time, and both must have the
same payload, byte for byte. The index must have the place of each. Captures in files that warcio cannot read to their end
are not checked against them; their number is printed.
"""

import io
import json
import os
import sys

from warcio.archiveiterator import ArchiveIterator


def captures(paths):
    """The payload of each response at its place."""
    found, broken = {}, set()
    for path in paths:
        with open(path, "rb") as f:
            records = ArchiveIterator(f)
            try:
                for r in records:
                    if r.rec_type == "response" and r.http_headers:
                        head = r.rec_headers
                        payload = r.raw_stream.read()
                        place = (os.path.basename(path), records.get_record_offset())
                        found[place] = (head.get_header("WARC-Target-URI"), head.get_header("WARC-Date"), payload)
            except Exception as e:  # the test data has broken files
                print(f"{path}: {e}", file=sys.stderr)
                broken.add(os.path.basename(path))
    return found, broken


def main(warc, index, paths):
    found, broken = captures(paths)
    raw = open(warc, "rb").read()
    end = n = unchecked = 0
    for line in open(index):
        key, timestamp, rest = line.split(" ", 2)
        x = json.loads(rest)
        offset, length = int(x["offset"]), int(x["length"])
        assert offset == end, (offset, end)
        end += length
        (r,) = ArchiveIterator(io.BytesIO(raw[offset : offset + length]))
        head = r.rec_headers
        get = head.get_header
        assert r.rec_type == "revisit" and r.http_headers.get_statuscode() == "200"
        assert get("WARC-Profile") == "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
        assert r.raw_stream.read() == b""
        if broken & {x["was.filename"], x["orig.filename"]}:
            unchecked += 1
            continue
        was = found[x["was.filename"], int(x["was.offset"])]
        original = found[x["orig.filename"], int(x["orig.offset"])]
        assert (get("WARC-Target-URI"), get("WARC-Date")) == was[:2], (was[:2], head)
        assert (get("WARC-Refers-To-Target-URI"), get("WARC-Refers-To-Date")) == original[:2], (original[:2], head)
        assert original[1] <= was[1] and original[2] == was[2] and was[2], (was[:2], original[:2])
        assert get("WARC-Payload-Digest") == x["digest"]
        assert "".join(c for c in was[1] if c.isdigit())[:14] == timestamp
        n += 1
    assert end == len(raw), (end, len(raw))
    assert n > 0
    print(f"{n} revisits checked, {unchecked} not, in broken files")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
