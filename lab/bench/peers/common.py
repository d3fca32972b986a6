"""Reading the corpus and writing results, the same for all peers."""
import json
import re
import sys

CORPUS, OUT = sys.argv[1:3]


def read(batch=None):
    """Yield lists of URLs and texts: all documents at once, or in batches."""
    urls, texts = [], []
    with open(CORPUS, encoding="utf-8") as lines:
        for line in lines:
            document = json.loads(line)
            urls.append(document["url"])
            texts.append(document["text"])
            if len(urls) == batch:
                yield urls, texts
                urls, texts = [], []
    yield urls, texts


WORD = re.compile(r"[a-z0-9]+")


def shingles(text):
    """Return the set of the sequences of five words."""
    words = WORD.findall(text.lower())
    return {" ".join(words[i : i + 5]) for i in range(len(words) - 4)}


def write(urls, pairs):
    """Write pairs (i, j) of numbers of documents, and the clusters that they connect."""
    parent = list(range(len(urls)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    with open(OUT + "/pairs.tsv", "w") as out:
        for i, j in pairs:
            out.write(f"{urls[i]}\t{urls[j]}\n")
            parent[root(j)] = root(i)
    write_clusters(urls, (root(i) for i in range(len(urls))))


def write_clusters(urls, clusters):
    with open(OUT + "/clusters.tsv", "w") as out:
        for url, cluster in zip(urls, clusters):
            out.write(f"{url}\t{cluster}\n")
