"""datatrove: its default 14 buckets of 8 hashes; pairs share a bucket and are not verified."""
import glob
import os
import struct

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.dedup import MinhashDedupSignature
from datatrove.pipeline.dedup.minhash import MinhashConfig, MinhashDedupBuckets
from datatrove.pipeline.readers import JsonlReader

import common

config = MinhashConfig(n_grams=5, num_buckets=14, hashes_per_bucket=8)


def run(name, *pipeline, tasks):
    LocalPipelineExecutor(list(pipeline), tasks=tasks, workers=1, logging_dir=f"{common.OUT}/logs/{name}").run()


folder, file = os.path.split(os.path.abspath(common.CORPUS))
run(
    "signatures",
    JsonlReader(folder, glob_pattern=file, text_key="text", id_key="url"),
    MinhashDedupSignature(common.OUT + "/signatures", config=config),
    tasks=1,
)
run(
    "buckets",
    MinhashDedupBuckets(common.OUT + "/signatures", common.OUT + "/buckets", config=config),
    tasks=config.num_buckets,
)
# A record of a file of pairs is four numbers of 32 bits: file and document, twice.
pairs = set()
for name in glob.glob(common.OUT + "/buckets/*.dups"):
    with open(name, "rb") as records:
        pairs.update((a, b) for _, a, _, b in struct.iter_unpack("<4I", records.read()))
((urls, _),) = common.read()
common.write(urls, sorted(pairs))
