"""text-dedup: the MinHash settings of its README, which verify; it makes clusters, whose pairs are all reported."""
import itertools
import os
import pickle
import subprocess
import sys

import common

with open(common.OUT + "/config.toml", "w") as config:
    config.write(f"""
[input]
input_type = "local_files"
file_type = "json"
[input.read_arguments]
path = "json"
data_files = "{os.path.abspath(common.CORPUS)}"
split = "train"
cache_dir = "cache"
[algorithm]
algorithm_name = "minhash"
text_column = "text"
seed = 42
batch_size = 10000
num_perm = 240
threshold = 0.7
false_positive_weight = 0.5
false_negative_weight = 0.5
hash_bits = 64
ngram_size = 5
check_false_positive = true
[output]
output_dir = "output"
clean_cache = false
save_clusters = true
[debug]
enable_profiling = false
""")
subprocess.run([sys.executable, "-m", "text_dedup.minhash"], cwd=common.OUT, check=True)
((urls, _),) = common.read()
with open(common.OUT + "/output/clusters.pickle", "rb") as saved:
    parents = pickle.load(saved)
members = {}
for i, cluster in parents.items():
    members.setdefault(cluster, []).append(i)
with open(common.OUT + "/pairs.tsv", "w") as out:
    for cluster in members.values():
        for i, j in itertools.combinations(cluster, 2):
            out.write(f"{urls[i]}\t{urls[j]}\n")
common.write_clusters(urls, (parents.get(i, i) for i in range(len(urls))))
