"""gaoya: signatures of 32 bands of 4; a query returns the documents with an estimate of at least 0.7."""
from gaoya.minhash import MinHashStringIndex

import common

((urls, texts),) = common.read()
index = MinHashStringIndex(
    hash_size=32,
    jaccard_threshold=0.7,
    num_bands=32,
    band_size=4,
    analyzer="word",
    lowercase=True,
    ngram_range=(5, 5),
)
index.par_bulk_insert_docs(list(range(len(texts))), texts)
found = index.par_bulk_query(texts)
common.write(urls, ((i, j) for i, near in enumerate(found) for j in near if i < j))
