"""Ten shards of JSON Lines (.gz, .zst, plain), Parquet and CSV through lshclust dedup, checked record by record.

    python3 lab/mixed.py LSHCLUST CORPUS.jsonl DIR RECORDS_A_SHARD     (needs pyarrow, duckdb, zstandard)

The records have nested metadata, numbers of 17 digits, unknown fields, and ids that are the same in every shard; files have CRLF,
a byte order mark, a last line without an end. Kept lines must be the same bytes, Parquet the same values, types and metadata.
"""
import csv, gzip, io, json, os, subprocess, sys, time
from collections import defaultdict

import duckdb, pyarrow as pa, pyarrow.parquet as pq, zstandard

lsh, corpus, d, n = *sys.argv[1:4], int(sys.argv[4])
src, out = d + "/in", d + "/out"
subprocess.run(["rm", "-rf", src, out])
os.makedirs(src)
texts = [json.loads(l)["text"].split() for l, _ in zip(open(corpus), range(97000))]


def text(i):
    words = texts[i % len(texts)]
    k = i // len(texts) * 70 % max(len(words) - 40, 1)
    return " ".join(words[k:k + 70])


def lines(shard):
    for i in range(n):
        r = {"id": i, "text": text(shard * n + i), "metadata": {"a": {"b": [1, 2.50, None]}, "n": 12345678901234567 + i}, "x-unknown": "ü \" \\ /", "q": i * 1e-7}
        yield json.dumps(r, ensure_ascii=i % 3 == 0).encode()


for s in range(10):
    kind = s % 5
    if kind == 0:  # gzip, CRLF
        data = b"\r\n".join(lines(s)) + b"\r\n"
        open(f"{src}/{s}.jsonl.gz", "wb").write(gzip.compress(data, 1))
    elif kind == 1:  # zstd, no end of the last line
        open(f"{src}/{s}.jsonl.zst", "wb").write(zstandard.compress(b"\n".join(lines(s))))
    elif kind == 2:  # BOM
        open(f"{src}/{s}.jsonl", "wb").write(b"\xef\xbb\xbf" + b"\n".join(lines(s)) + b"\n")
    elif kind == 3:
        rows = [json.loads(l) for l in lines(s)]
        schema = pa.schema([pa.field("id", pa.int64()), pa.field("text", pa.string(), metadata={"k": "v"}), pa.field("metadata", pa.struct([("a", pa.struct([("b", pa.list_(pa.float64()))])), ("n", pa.int64())])),
                            pa.field("x-unknown", pa.string()), pa.field("q", pa.float64()), pa.field("d", pa.decimal128(20, 3)), pa.field("t", pa.timestamp("us", "UTC"))], metadata={"huggingface": "{}"})
        t = pa.Table.from_pylist(rows, schema)
        pq.write_table(t, f"{src}/{s}.parquet", row_group_size=n // 3, compression="zstd" if s > 5 else "snappy")
    else:
        f = io.StringIO()
        w = csv.writer(f, lineterminator="\r\n")
        w.writerow(["id", "text", "n", "other"])
        for i in range(n):
            w.writerow([i, text(s * n + i), 12345678901234567 + i, "a, \"b\""])
        open(f"{src}/{s}.csv", "w", newline="").write(f.getvalue())
began, before = time.time(), os.times()
subprocess.run([lsh, "dedup", "-q", "-o", out, "--near", "0.7", src], stdout=subprocess.DEVNULL, check=True)
after = os.times()
report = json.load(open(out + "/report.json"))
print(f"{10 * n} records: {time.time() - began:.1f} s, {after.children_user + after.children_system - before.children_user - before.children_system:.1f} CPU s", report["total"], report["relations"])
gone = defaultdict(set)
for l in open(out + "/removed.jsonl"):
    x = json.loads(l)
    gone[x["file"]].add(x["record"])
    assert x["kept_record"] not in gone[x["kept_file"]]
wrong = []
for f in report["files"]:
    name = f["name"]
    if f["records"] != n or f["kept"] + f["removed"] + f["unread"] != n or f["removed"] != len(gone[name]):
        wrong.append((name, f))
    if name.endswith("parquet"):
        a, b = pq.read_table(f"{src}/{name}"), pq.read_table(f"{out}/{name}")
        keep = pa.array([i + 1 not in gone[name] for i in range(n)])
        if not a.filter(keep).combine_chunks().equals(b.combine_chunks(), check_metadata=True):
            wrong.append((name, "values or schema"))
        types = [duckdb.sql(f"describe select * from '{p}/{name}'").fetchall() for p in (src, out)]
        count = duckdb.sql(f"select count(*), sum(metadata.n) from '{out}/{name}'").fetchall()[0]
        if types[0] != types[1] or count[0] != f["kept"] or count[1] != sum(12345678901234567 + i for i in range(n) if i + 1 not in gone[name]):
            wrong.append((name, "duckdb", count))
        continue
    content = []
    for p in (src, out):
        b = open(f"{p}/{name}", "rb").read()
        content.append(gzip.decompress(b) if name.endswith("gz") else zstandard.ZstdDecompressor().stream_reader(b).read() if name.endswith("zst") else b)
    head = int(name.endswith("csv"))
    ls = content[0].splitlines(keepends=True)
    if not any(b"".join(l for k, l in enumerate(ls) if k < h or k + 1 - s not in gone[name]) == content[1] for h, s in ((head, head), (head, 0))):
        wrong.append((name, "bytes"))
print("wrong:", wrong or 0)
