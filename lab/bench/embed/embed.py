"""Embeds the windows of documents: embed.py MODEL WINDOWS VECTORS, with MODEL a folder, WINDOWS lines of JSON with "url"
and "windows", and VECTORS the result: lines of URL, tab, numbers. The vector of a document is the mean of the vectors of
its windows, of length 1. A document without a window has none."""
import json
import sys

import numpy

from encoder import Encoder, normalised

model, windows, vectors = sys.argv[1:4]
texts, parts = [], []
with open(windows, encoding="utf-8") as lines:
    for line in lines:
        document = json.loads(line)
        start = len(texts)
        texts += document["windows"]
        if len(texts) > start:
            parts.append((document["url"], start, len(texts)))
rows = Encoder(model).encode(texts)
with open(vectors, "w", encoding="utf-8") as out:
    for url, start, end in parts:
        vector = normalised(rows[start:end].mean(axis=0))
        out.write(url + "\t" + " ".join(f"{x:.6f}" for x in vector) + "\n")
