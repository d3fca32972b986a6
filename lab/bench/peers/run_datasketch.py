"""datasketch: 128 permutations; MinHashLSH chooses b=14, r=9 for a threshold of 0.7; estimates of at least 0.7."""
from datasketch import MinHash, MinHashLSH

import common

urls, hashes, pairs = [], [], []
index = MinHashLSH(threshold=0.7, num_perm=128)
assert (index.b, index.r) == (14, 9)
for names, texts in common.read(batch=1000):
    for h in MinHash.bulk([[s.encode() for s in common.shingles(t)] for t in texts], num_perm=128):
        i = len(hashes)
        pairs += [(j, i) for j in index.query(h) if hashes[j].jaccard(h) >= 0.7]
        index.insert(i, h, check_duplication=False)
        hashes.append(h)
    urls += names
common.write(urls, pairs)
