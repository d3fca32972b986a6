#!/usr/bin/env python3
"""Compares similarities of bags by the agreement of the nearest neighbour at level 2 of a gold, all / apart.

    lab vectors RUN DIR
    lshclust export RUN topical_pairs --format tsv > DIR/pairs.tsv        may be left out
    similarities.py DIR GOLD.tsv...                                       needs numpy and scipy

J is the Jaccard coefficient of the bags, cos the cosine of log(1+count), cosidf that of log(1+count) times idf, and svd the
cosine of the documents in the first K right singular vectors of all bags of the run, as log(1+count) times idf and of
length 1, by a randomised decomposition with a fixed seed. shared is the cosine of the stored similarities of the 100 nearest
neighbours of both documents; a document is its own neighbour with a similarity of OWN. The candidates are the targets of a gold; two are apart if no
page links to both. A target is dev or test by the CRC of its URL.
"""
import collections, os, sys, zlib
import numpy as np, scipy.sparse as sp

LEVEL, SEED, NEAR, OWN = 2, 1, 100, .2
SIMILARITIES = [(0, 0, 0, 0), (.25, 0, 0, 0), (.5, 0, 0, 0), (0, .25, 0, 0), (0, .5, 0, 0), (0, 0, 100, .05), (0, 0, 100, .1), (0, 0, 100, .15),
                (.25, 0, 100, .05), (0, .25, 100, .05), (0, .25, 100, .1), (0, .5, 100, .05), (0, .5, 100, .1), (0, .25, 300, .05),
                (0, .25, 300, .1), (0, .25, 50, .05), (0, .25, 50, .1)]  # weights of cos and cosidf; K and weight of svd


def unit(m):
    length = np.sqrt(np.asarray(m.multiply(m).sum(1)).ravel())
    return (sp.diags(1 / np.maximum(length, 1e-9)) @ m).tocsr()


def singular(m, k):
    y = m.T @ np.random.default_rng(SEED).standard_normal((m.shape[0], k + 20)).astype(np.float32)
    for _ in range(2):
        y = m.T @ (m @ np.linalg.qr(y)[0])
    y = np.linalg.qr(y)[0]
    return (y @ np.linalg.svd(m @ y, full_matrices=False)[2].T)[:, :k]


def jaccard(bags):
    c = bags.tocoo()
    n = c.data.astype(int)
    flat = np.repeat(c.col, n).astype(np.int64) << 16 | np.concatenate([np.arange(i) for i in n])
    places = np.unique(flat, return_inverse=True)[1]
    f = sp.csr_matrix((np.ones(len(flat), np.float32), (np.repeat(c.row, n), places)))
    common, total = (f @ f.T).toarray(), np.asarray(bags.sum(1)).ravel()
    return common / (total[:, None] + total[None, :] - common)


def neighbours(path, number):
    rows = (line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8"))
    next(rows)
    a, b, s = zip(*((number[r[0]], number[r[1]], float(r[2])) for r in rows))
    m = sp.csr_matrix((np.float32(s + s), (a + b, b + a)), shape=(len(number), len(number)))
    for first, end in zip(m.indptr, m.indptr[1:]):
        if end - first > NEAR:
            m.data[first + np.argsort(-m.data[first:end], kind="stable")[NEAR:]] = 0
    return unit(m + OWN * sp.identity(len(number), dtype=np.float32, format="csr"))


def read_gold(path, number):
    paths = collections.defaultdict(set)
    for line in open(path, encoding="utf-8"):
        row = line.rstrip("\n").split("\t")
        if not line.startswith("#") and row[2] in number:
            paths[number[row[2]]].add(tuple(row[1].split("/")))
    return paths


def main(folder, golds):
    array = lambda name, columns: np.fromfile(os.path.join(folder, name), np.uint32).reshape(-1, columns)
    urls = open(os.path.join(folder, "urls.txt"), encoding="utf-8").read().splitlines()
    rows, links = array("bags.u32", 3), array("links.u32", 2)
    bags = sp.csr_matrix((rows[:, 2].astype(np.float32), (rows[:, 0], rows[:, 1])), shape=(len(urls), int(rows[:, 1].max()) + 1))
    linked = sp.csr_matrix((np.ones(len(links), np.float32), (links[:, 0], links[:, 1])), shape=(len(urls), len(urls)))
    logs = bags.copy()
    logs.data = np.log1p(logs.data)
    idf = sp.diags(np.log(len(urls) / np.maximum(np.bincount(rows[:, 1]), 1)).astype(np.float32))
    weighted = unit(logs @ idf)
    vectors = {k: idf @ singular(weighted, k) for k in sorted({s[2] for s in SIMILARITIES} - {0})}
    number = {url: i for i, url in enumerate(urls)}
    stored = os.path.join(folder, "pairs.tsv")
    near = neighbours(stored, number) if os.path.exists(stored) else None
    for path in golds:
        paths = read_gold(path, number)
        ids = np.array(sorted(i for i in paths if bags[i].nnz))
        pairs = [(i, p[:LEVEL]) for i, d in enumerate(ids) for p in paths[d] if len(p) >= LEVEL]
        category = {c: i for i, c in enumerate(sorted({c for _, c in pairs}))}
        has = sp.csr_matrix((np.ones(len(pairs), np.float32), ([i for i, _ in pairs], [category[c] for _, c in pairs])), shape=(len(ids), len(category)))
        agree, together = (has @ has.T).toarray() > 0, (linked[ids] @ linked[ids].T).toarray() > 0
        test = np.array([zlib.crc32(urls[d].encode()) % 2 for d in ids], bool)
        parts = [jaccard(bags[ids])] + [(u @ u.T).toarray() for u in (unit(logs[ids]), unit(logs[ids] @ idf))]
        close = {}
        for k in vectors:
            d = logs[ids] @ vectors[k]
            d /= np.maximum(np.linalg.norm(d, axis=1, keepdims=True), 1e-9)
            close[k] = d @ d.T
        sums = {f"J + {a} cos + {b} cosidf + {c} svd{k}": parts[0] + a * parts[1] + b * parts[2] + (c * close[k] if k else 0) for a, b, k, c in SIMILARITIES}
        if near is not None:
            shared = (near[ids] @ near[ids].T).toarray()
            sums |= {f"J + {a} cos + {c} shared": parts[0] + a * parts[1] + c * shared for a in (0, .1, .2, .3) for c in (.1, .2, .3)}
        for name, s in sums.items():
            out = []
            for barred in (np.eye(len(ids), dtype=bool), together | np.eye(len(ids), dtype=bool)):
                m = np.where(barred, -1, s)
                best, found = m.argmax(1), m.max(1) > 0
                right = agree[np.arange(len(ids)), best]
                out.append([right[found & part].mean() for part in (test | True, ~test, test)])
            print(os.path.basename(path), len(ids), name + ":",
                  *(f"{half} {x:.3f} / {y:.3f}" for half, x, y in zip(("all", "dev", "test"), *out)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
