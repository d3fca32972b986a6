"""How much lists of related pages repeat themselves: lab/repetition.py LSHCLUST RUN URLS [FLAG...]

Asks for the ten related pages of up to 200 URLs, evenly taken from the first column of URLS, and prints the shares of rows
whose name is that of a row above but for digits, case and signs; whose host is that of a row above; and that stand on a list
with the page.
"""

import json
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

command, run, path, *flags = sys.argv[1:]
with open(path) as f:
    urls = [line.split("\t")[0].strip() for line in f if not line.startswith("#")]
urls = urls[:: max(1, len(urls) // 200)][:200]
with tempfile.NamedTemporaryFile("w", suffix=".txt") as f:
    f.write("\n".join(urls) + "\n")
    f.flush()
    out = subprocess.run(
        [command, "related", run, "--urls", f.name, "--limit", "10", "--format", "jsonl", *flags],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
    ).stdout.decode()
lists, rows, names, hosts, together, folded = {}, 0, 0, 0, 0, 0
for line in out.splitlines():
    row = json.loads(line)
    lists.setdefault(row["of"], []).append(row)
for rows_of in lists.values():
    seen_names, seen_hosts = set(), set()
    for row in rows_of:
        name = "".join(c for c in row["name"].lower() if c.isalpha())
        host = urlsplit(row["url"]).hostname
        rows += 1
        names += name in seen_names
        hosts += host in seen_hosts
        together += row["together"] > 0
        folded += len(row["mirrors"])
        seen_names.add(name)
        seen_hosts.add(host)
print(f"{len(lists)} pages, {rows} rows: name {names / rows:.3f}, host {hosts / rows:.3f}, list {together / rows:.3f}, folded {folded}")
