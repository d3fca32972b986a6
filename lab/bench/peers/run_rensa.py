"""rensa: full-set R-MinHash of 128 slots, 16 bands; candidates with an estimate of at least 0.7."""
from rensa import RMinHash, RMinHashLSH

import common

urls, hashes = [], []
for names, texts in common.read(batch=1000):
    urls += names
    hashes += RMinHash.from_token_sets([list(common.shingles(t)) for t in texts], num_perm=128, seed=42)
index = RMinHashLSH(threshold=0.7, num_perm=128, num_bands=16)
index.insert_many(hashes)
found = index.query_all(hashes)
common.write(
    urls,
    ((i, j) for i, near in enumerate(found) for j in near if i < j and hashes[i].jaccard(hashes[j]) >= 0.7),
)
