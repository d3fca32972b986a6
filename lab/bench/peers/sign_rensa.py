"""rensa: R-MinHash of 128 slots for lists of words. Usage: sign_rensa.py CORPUS DOCUMENTS PASSES"""
import itertools
import json
import re
import sys
import time

from rensa import RMinHash

corpus, documents, passes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(corpus, encoding="utf-8") as lines:
    words = [
        re.findall("[a-z0-9]+", json.loads(line)["text"].lower())
        for line in itertools.islice(lines, documents)
    ]
began = time.process_time()
for _ in range(passes):
    RMinHash.digest_matrix_from_token_sets(words, num_perm=128, seed=42)
print(passes * sum(map(len, words)), time.process_time() - began)
