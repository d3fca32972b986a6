"""Compares the HTTP responses of two WARC files with warcio, as changes --records does: records.py OLD NEW."""

import hashlib
import sys
from collections import defaultdict

from warcio.archiveiterator import ArchiveIterator


def responses(path):
    found = defaultdict(list)
    with open(path, "rb") as stream:
        for record in ArchiveIterator(stream):
            url = record.rec_headers.get_header("WARC-Target-URI")
            if record.rec_type == "response" and url.startswith("http"):  # not DNS
                payload, status = record.raw_stream.read(), record.http_headers.get_statuscode()
                found[url].append((status, hashlib.sha1(payload).digest()))
    return found


old, new = (responses(path) for path in sys.argv[1:])
matching = near = only_old = only_new = 0
for url in {**old, **new}:
    left = list(new[url])
    rest = 0
    for response in old[url]:
        if response in left:
            left.remove(response)
            matching += 1
        else:
            rest += 1
    near += min(rest, len(left))
    only_old += max(0, rest - len(left))
    only_new += max(0, len(left) - rest)
print(matching, near, only_old, only_new)
