"""Plants items of evaluation sets in a corpus and counts what lshclust dedup --against finds.

    python3 lab/against.py LSHCLUST CORPUS.jsonl DIR SET...

Of each set, it takes texts of at least 40 words and puts 100 of each kind into records of their own: the whole text, a cut of
20 words, one with every 20th word changed, one with every 7th word changed (no run of 13 words is left). A false alarm is a
record where nothing was planted; it is counted as right if an independent search finds the same words in the set.
"""
import gzip, json, random, re, subprocess, sys, time
from collections import Counter

WORD = re.compile(r"[^\W_]+")


def texts(v):
    if isinstance(v, str):
        yield v
    for e in v.values() if isinstance(v, dict) else v if isinstance(v, list) else ():
        yield from texts(e)


def main(lshclust, corpus, out, *sets):
    random.seed(1)
    items = []
    for path in sets:
        for line in (gzip.open if path.endswith(".gz") else open)(path, "rt"):
            items += [(path, t) for t in texts(json.loads(line)) if len(WORD.findall(t)) >= 40 and t.isascii()]
    known = {" ".join(WORD.findall(t.lower())) for _, t in items}
    lines = [json.loads(l) for l, _ in zip(open(corpus), range(20000))]
    kinds = {}
    places = random.sample(range(len(lines)), 400 * len(sets))
    for path in sets:
        own = [t for p, t in items if p == path]
        for kind in ("whole", "cut", "every 20th", "every 7th"):
            for t in random.choices(own, k=100):
                words = t.split(" ")
                if kind == "cut":
                    spans = list(WORD.finditer(t))
                    at = random.randrange(len(spans) - 20)
                    words = [t[spans[at].start():spans[at + 19].end()]]
                elif kind != "whole":
                    n, step = 0, 20 if kind == "every 20th" else 7
                    def change(m):
                        nonlocal n
                        n += 1
                        return "zyx" if n % step == 0 else m[0]
                    words = [WORD.sub(change, t)]
                i = places.pop()
                there = lines[i]["text"]
                cut = len(there) // 2
                lines[i]["text"] = there[:cut] + " " + " ".join(words) + " " + there[cut:]
                kinds[i + 1] = (path, kind)
    with open(out + "/planted.jsonl", "w") as f:
        f.writelines(json.dumps(l) + "\n" for l in lines)
    subprocess.run(["rm", "-rf", out + "/out"])
    began = time.time()
    subprocess.run([lshclust, "dedup", "-q", "-o", out + "/out", *("--against=" + s for s in sets), out + "/planted.jsonl"], stdout=subprocess.DEVNULL, check=True)
    took = time.time() - began
    found = {}
    wrong = Counter()
    for l in open(out + "/out/against.jsonl"):
        x = json.loads(l)
        found.setdefault(x["record"], []).append(x)
        passage = " ".join(WORD.findall(x["passage"].lower()))
        if len(passage) < 900 and not any(passage in k for k in known) and x["passage"].isascii():
            wrong["passage in no item"] += 1
    for path in sets:
        for kind in ("whole", "cut", "every 20th", "every 7th"):
            mine = [i for i, k in kinds.items() if k == (path, kind)]
            print(f"{path.split('/')[-1]:24} {kind:12} planted {len(mine)}, found {sum(i in found and any(x['set'] == path for x in found[i]) for i in mine)}")
    others = [i for i in found if i not in kinds]
    print(f"other records with a passage: {len(others)} of {len(lines) - len(kinds)}; passages that are in no item: {wrong['passage in no item']}; {took:.1f} s")
    for i in others[:3]:
        print("  ", found[i][0]["item_id"], found[i][0]["words"], found[i][0]["passage"][:100])


main(*sys.argv[1:])
