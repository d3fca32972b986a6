"""Programs that remove near-duplicates, in turn: python3 lab/contest.py CORPUS TRUTH SCRATCH ROUNDS NAME=COMMAND...

COMMAND gets CORPUS and a folder as further arguments, and writes the URLs of the records that it keeps to FOLDER/kept: it
may be "PYTHON lab/contest.py --as PEER" with gaoya, rensa, datatrove, daft or text-dedup. Or it is a script that writes the output
of lshclust dedup to FOLDER/out. CPU is that of all processes, memory the resident memory of the largest one. Sound is the share of the
removed records that have a kept record of a resemblance of .65 or more; left are pairs of .7 or more that were both kept.
"""
import collections, glob, json, os, shutil, statistics, subprocess, sys, time


def gaoya(urls, texts, out):
    from gaoya.minhash import MinHashStringIndex

    index = MinHashStringIndex(hash_size=32, jaccard_threshold=0.7, num_bands=32, band_size=4, analyzer="word", lowercase=True, ngram_range=(5, 5))
    index.par_bulk_insert_docs(list(range(len(texts))), texts)
    return greedy(urls, index.par_bulk_query(texts))


def rensa(urls, texts, out):
    from rensa import RMinHash, RMinHashLSH

    hashes = []
    for at in range(0, len(texts), 1000):
        hashes += RMinHash.from_token_sets([list(shingles(t)) for t in texts[at : at + 1000]], num_perm=128, seed=42)
    index = RMinHashLSH(threshold=0.7, num_perm=128, num_bands=16)
    index.insert_many(hashes)
    return greedy(urls, ([j for j in near if hashes[i].jaccard(hashes[j]) >= 0.7] for i, near in enumerate(index.query_all(hashes))))


def greedy(urls, found):
    """Keep a record if none that is kept is near."""
    gone, kept = set(), []
    for i, near in enumerate(found):
        if any(j < i and j not in gone for j in near):
            gone.add(i)
        else:
            kept.append(urls[i])
    return kept


def datatrove(urls, texts, out):
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter

    config = MinhashConfig(n_grams=5, num_buckets=14, hashes_per_bucket=8)
    folder, file = os.path.split(CORPUS)
    reader = lambda: JsonlReader(folder, glob_pattern=file, text_key="text", id_key="url")
    for name, tasks, pipeline in (
        ("1", 1, [reader(), MinhashDedupSignature(out + "/signatures", config=config)]),
        ("2", config.num_buckets, [MinhashDedupBuckets(out + "/signatures", out + "/buckets", config=config)]),
        ("3", 1, [MinhashDedupCluster(out + "/buckets", out + "/remove", config=config)]),
        ("4", 1, [reader(), MinhashDedupFilter(out + "/remove"), JsonlWriter(out + "/output", compression=None)]),
    ):
        LocalPipelineExecutor(pipeline, tasks=tasks, workers=1, logging_dir=f"{out}/logs/{name}").run()
    return [json.loads(l)["id"] for f in glob.glob(out + "/output/*") for l in open(f)]


def text_dedup(urls, texts, out):
    """The settings of lab/bench/peers, which verify; of each cluster the first is kept."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bench/peers/run_text_dedup.py")
    subprocess.run([sys.executable, script, CORPUS, out], check=True)
    first = {}
    return [first.setdefault(cluster, url) for url, cluster in (l.split() for l in open(out + "/clusters.tsv")) if cluster not in first]


def daft(urls, texts, out):
    """The steps of its guide to MinHash deduplication: normalize, minhash of 64, bands, and connected components by hand."""
    import daft
    from daft import col

    frame = daft.from_pydict({"i": list(range(len(texts))), "text": texts})
    normal = col("text").normalize(remove_punct=True, lowercase=True, nfd_unicode=True, white_space=True)
    hashes = frame.select(col("i"), normal.minhash(num_hashes=64, ngram_size=5, seed=42, hash_function="xxhash").alias("m")).to_pydict()
    first, parent = {}, list(range(len(texts)))

    def root(i):
        while parent[i] != i:
            parent[i] = i = parent[parent[i]]
        return i

    for i, m in zip(hashes["i"], hashes["m"]):
        for band in range(8):  # of 8 rows
            j = first.setdefault((band, tuple(m[8 * band : 8 * band + 8])), i)
            if (x := root(i)) != (y := root(j)):
                parent[max(x, y)] = min(x, y)
    return [urls[i] for i in range(len(urls)) if root(i) == i]


def shingles(text):
    import re

    words = re.findall(r"[a-z0-9]+", text.lower())
    return {" ".join(words[i : i + 5]) for i in range(len(words) - 4)}


def main(corpus, truth, scratch, rounds, *entries):
    pairs = [(a, b, float(j)) for a, b, j in (l.split() for l in open(truth) if l[0] != "#")]
    text = {(r := json.loads(l))["url"]: r["text"] for l in open(corpus)}
    rows = collections.defaultdict(list)
    for n in range(int(rounds)):
        for entry in entries[n % len(entries) :] + entries[: n % len(entries)]:
            name, command = entry.split("=", 1)
            out = os.path.abspath(scratch) + "/contest"
            shutil.rmtree(out, ignore_errors=True)
            os.makedirs(out)
            began, before = time.time(), os.times()
            child = subprocess.Popen([*command.split(), os.path.abspath(corpus), out], stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(child.pid, 0)
            after = os.times()
            assert status == 0, name
            cpu = after.children_user + after.children_system - before.children_user - before.children_system
            if os.path.exists(out + "/kept"):
                kept = set(open(out + "/kept").read().split())
            else:
                kept = text.keys() - {json.loads(l)["id"] for l in open(out + "/out/removed.jsonl")}
            near = collections.defaultdict(list)
            for a, b, j in pairs:
                near[a].append((b, j))
                near[b].append((a, j))
            gone = text.keys() - kept
            sound = sum(any(j >= 0.65 and other in kept for other, j in near[url]) for url in gone)
            left = sum(j >= 0.7 and a in kept and b in kept for a, b, j in pairs)
            rows[name].append((cpu, time.time() - began, used.ru_maxrss / 1024, len(gone), sound / max(len(gone), 1), left, sum(len(text[u]) for u in kept)))
            print(name, rows[name][-1], flush=True)
    print("| | cpu s | wall s | resident MiB | removed | sound | left | MB kept |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, all_rounds in rows.items():
        c, w, m, g, s, l, k = (statistics.median(x) for x in zip(*all_rounds))
        print(f"| {name} | {c:.1f} | {w:.1f} | {m:.0f} | {g:.0f} | {s:.3f} | {l:.0f} | {k / 1e6:.1f} |")


if sys.argv[1] == "--as":
    peer, CORPUS, OUT = sys.argv[2:5]
    program = globals().get(peer.replace("-", "_"))
    if program:
        records = [] if peer in ("datatrove", "text-dedup") else [json.loads(l) for l in open(CORPUS)]
    keeps = globals()[peer.replace("-", "_")]([r["url"] for r in records], [r["text"] for r in records], OUT)
    open(OUT + "/kept", "w").write("\n".join(keeps))
else:
    main(*sys.argv[1:])
