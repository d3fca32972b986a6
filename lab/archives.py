#!/usr/bin/env python3
"""Compares what `lshclust doctor` finds in archives with what warcio finds.

    pip install warcio
    lab/archives.py LSHCLUST FILE...

It prints a row for each file: records, responses, and distinct URLs of the responses with status 200 and a type of HTML,
from warcio and from lshclust (its captures, and the HTML that it leaves out with a reason). A WACZ is unpacked for warcio.
"""
import io
import json
import subprocess
import sys
import zipfile

from warcio.archiveiterator import ArchiveIterator


def streams(path):
    if path.endswith(".wacz"):
        with zipfile.ZipFile(path) as z:
            for name in z.namelist():
                if name.startswith("archive/"):
                    yield io.BytesIO(z.read(name))
    else:
        with open(path, "rb") as f:
            yield f


def warcio(path):
    """Returns the counts by type, the number of HTML captures, and the error that ended the reading."""
    types, html = {}, 0
    try:
        for stream in streams(path):
            for r in ArchiveIterator(stream, arc2warc=True):
                types[r.rec_type] = types.get(r.rec_type, 0) + 1
                head = r.http_headers
                kind = (head.get_header("Content-Type") or "") if head else ""
                if r.rec_type == "response" and head and head.get_statuscode() == "200" and "html" in kind.lower():
                    html += 1
    except Exception as e:
        return types, html, f"{type(e).__name__}: {e}"[:60]
    return types, html, ""


def main():
    tool, files = sys.argv[1], sys.argv[2:]
    equal = 0
    print(f"{'file':<70} {'records':>13} {'responses':>11} {'HTML':>9}  differs")
    for path in files:
        types, html, error = warcio(path)
        out = subprocess.run([tool, "doctor", "--format", "json", path], capture_output=True, text=True)
        r = json.loads(out.stdout)
        r = r[0] if isinstance(r, list) else r
        ours = r.get("record_types") or {}
        left = {f["reason"]: f["count"] for f in r.get("findings") or []}
        a = (sum(types.values()), types.get("response", 0), html)
        b = (sum(ours.values()), ours.get("response", 0), r["pages"])
        why = []
        if a != b:
            why = [f"{k} {v}" for k, v in left.items() if not k.startswith(("warc-", "arc-"))]
        else:
            equal += 1
        row = [f"{x}/{y}" for x, y in zip(a, b)]
        print(f"{path.split('/')[-1][-70:]:<70} {row[0]:>13} {row[1]:>11} {row[2]:>9}  {r['verdict']} {error} {'; '.join(why)}")
    print(f"{equal} of {len(files)} equal")


main()
