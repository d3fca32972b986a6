#!/usr/bin/env python3
"""Compares runs over random crawls with answers computed here by brute force, from the papers and nothing else.

Usage: lab/independent.py LSHCLUST [CRAWLS [SEED]]

Each crawl has links with texts (bags are then sums of whole numbers) and pages that are copies, parts and variants of
others. Every figure of every stored pair, every syntactic pair above the thresholds, CENTER over the stored pairs and
the unions must agree; the share of the topical pairs of .3 or more that are stored is printed.
"""
import csv, itertools, json, os, random, subprocess, sys, tempfile
from collections import Counter, defaultdict

SETTINGS = {"stem": "false", "stop": "none", "weighting": "none", "url_words": "false", "title": "false", "headings": "0",
            "damping": "none", "host_damping": "none", "min_df": "1", "strip": "none", "neighbours": "0", "apart": "0"}


def word(r):
    return "".join(r.choice("bdfgklmnprtvz") + r.choice("aeiou") for _ in range(3))


def crawl(r, folder):
    """Writes a crawl and returns the bag of each target and the words of each page."""
    words = [word(r) for _ in range(r.choice([60, 300, 1500]))]
    topics = [r.sample(words, 30) for _ in range(12)]
    bags, links = {}, []
    for i in range(r.randint(30, 150)):
        url = f"https://t{r.randint(0, 5)}.example/{i}"
        if bags and r.random() < .1:  # the same words as another target
            texts = bags[r.choice(list(bags))][0]
        else:
            topic = r.choice(topics)
            texts = [[r.choice(topic if r.random() < .8 else words) for _ in range(20)] for _ in range(5)]
        bags[url] = texts, Counter(itertools.chain(*texts))
        links += [(f"https://s{i}-{k}.example/", url, " ".join(t)) for k, t in enumerate(texts)]
    r.shuffle(links)
    with open(folder + "/links.csv", "w", newline="") as f:
        csv.writer(f).writerows([("source", "target", "anchor"), *links])
    pages = {}
    for i in range(r.randint(30, 150)):
        text = [r.choice(words) for _ in range(r.randint(12, 200))]
        if pages and r.random() < .7:
            text = list(r.choice(list(pages.values())))
            for _ in range(r.randint(0, 6)):
                at = r.randrange(len(text))
                text[at:at + r.randint(0, 2)] = [r.choice(words) for _ in range(r.randint(0, 2))]
            if r.random() < .2:
                text = text[:max(12, len(text) // 2)]
            if r.random() < .2:
                text += [r.choice(words) for _ in range(len(text))]
        pages[f"https://p{r.randint(0, 3)}.example/{i}"] = text
    with open(folder + "/pages.jsonl", "w") as f:
        for url, text in pages.items():
            f.write(json.dumps({"url": url, "text": " ".join(text)}) + "\n")
    return {u: b for u, (_, b) in bags.items()}, pages


def similarity(a, b):
    return sum((a & b).values()) / sum((a | b).values())


def shingles(text, w):
    return {tuple(text[i:i + w]) for i in range(len(text) - w + 1)} or {tuple(text)}


def table(lshclust, run, name):
    out = subprocess.run([lshclust, "export", run, name], check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(out.splitlines()))


def groups(rows):
    by = defaultdict(set)
    for r in rows:
        by[r["cluster_id"]].add(r["url"])
    return {frozenset(g) for g in by.values()}


def topical(rows, clusters, bags, ids, threshold, recall, wrong):
    stored = {}
    for r in rows:
        a, b, s = r["url_a"], r["url_b"], float(r["similarity"])
        stored[a, b] = stored[b, a] = s
        exact = similarity(bags[a], bags[b])
        if abs(s - exact) > 1e-5:
            wrong.append(f"similarity of {a} and {b}: {s}, exact {exact}")
    node = {}  # the first document of those with the same bag stands for all
    for u in sorted(bags, key=ids.get):
        node[u] = node.setdefault(frozenset(bags[u].items()), u)
    near = defaultdict(list)
    for a, b in itertools.permutations(bags, 2):
        if node[a] != node[b] and similarity(bags[a], bags[b]) >= .3:
            recall[0] += (node[a], node[b]) in stored
            recall[1] += 1
        if node[a] == node[b] or stored.get((node[a], node[b]), 0) >= threshold - 1e-6:
            near[a].append(b)
    center = {}
    for u in sorted(bags, key=lambda u: (-len(near[u]), ids[node[u]], ids[u])):
        if u not in center:
            center[u] = u
            for v in near[u]:
                center.setdefault(v, u)
    want = defaultdict(set)
    for u, c in center.items():
        want[c].add(u)
    got = groups([c for c in clusters if c["url"] in bags])
    if got != {frozenset(g) for g in want.values()}:
        wrong.append(f"CENTER: {len(got)} clusters, {len(want)} by brute force")


def syntactic(rows, clusters, pages, ids, w, r_min, c_min, wrong):
    sets = {u: shingles(t, w) for u, t in pages.items()}
    stored, parent = {}, {u: u for u in pages}

    def root(u):
        while parent[u] != u:
            u = parent[u]
        return u
    for r in rows:
        stored[frozenset((r["url_a"], r["url_b"]))] = tuple(float(r[k]) for k in ("resemblance", "a_in_b", "b_in_a")), r["url_a"]
    equal = {}  # the first page of those with the same shingles stands for all
    for u in sorted(pages, key=ids.get):
        equal[u] = equal.setdefault(frozenset(sets[u]), u)
        parent[root(u)] = root(equal[u])
    for a, b in itertools.combinations(sorted(set(map(equal.get, pages)), key=ids.get), 2):
        common = len(sets[a] & sets[b])
        exact = common / len(sets[a] | sets[b]), common / len(sets[a]), common / len(sets[b])
        got = stored.pop(frozenset((a, b)), None)
        if got and got[1] != a:
            exact = exact[0], exact[2], exact[1]
        if got and max(abs(x - y) for x, y in zip(got[0], exact)) > 1e-5:
            wrong.append(f"{a} and {b}: {got[0]}, exact {exact}")
        if (exact[0] >= r_min or max(exact[1:]) >= c_min) and not got:
            wrong.append(f"{a} and {b} are not stored: {exact}")
        if exact[0] >= r_min:
            parent[root(a)] = root(b)
    want = defaultdict(set)
    for u in pages:
        want[root(u)].add(u)
    got = groups(clusters)
    if {g for g in got if len(g) > 1} != {frozenset(g) for g in want.values() if len(g) > 1}:
        wrong.append(f"union: {len(got)} clusters, {len(want)} by brute force")


def cluster(lshclust, run, w, threshold, *inputs):
    settings = SETTINGS | {"shingle": str(w), "threshold": str(threshold)}
    flags = [x for k, v in settings.items() for x in ("--set", f"{k}={v}")]
    subprocess.run([lshclust, "cluster", "-q", "-o", run, "--bags", "links", "--language", "english", *flags, *inputs], check=True)


def same_text(lshclust, run):
    """The syntactic view of a run, which no law lets change for old pages: pairs with figures, and clusters."""
    pairs = {(r["url_a"], r["url_b"]): (r["resemblance"], r["a_in_b"], r["b_in_a"])
             for r in table(lshclust, run, "syntactic_pairs")}
    pairs |= {(b, a): (f[0], f[2], f[1]) for (a, b), f in pairs.items()}
    return pairs, {g for g in groups(table(lshclust, run, "syntactic_clusters")) if len(g) > 1}


def laws(lshclust, seed):
    """Changes a crawl in ways whose effect is known without computing anything, and says which laws do not hold."""
    r, wrong = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        crawl(r, folder)
        lines = open(folder + "/pages.jsonl").read().splitlines(True)

        def of(name, *files):
            paths = []
            for i, text in enumerate(files):
                paths.append(f"{folder}/{name}{i}.jsonl")
                open(paths[-1], "w").writelines(text)
            cluster(lshclust, f"{folder}/{name}", 3, .1, *paths)
            return same_text(lshclust, f"{folder}/{name}")
        before = of("before", lines)
        new = json.dumps({"url": "https://new.example/", "text": " ".join(f"q{word(r)}q" for _ in range(90))}) + "\n"
        if of("stranger", lines + [new]) != before:
            wrong.append("a page of new words changes others")
        half = len(lines) // 2
        if of("order", lines[half:][::-1], lines[:half]) != before:
            wrong.append("the order of the pages changes the result")
        rename = lambda u: u.replace("//p1.", "//another.")
        renamed = of("renamed", [line.replace("//p1.", "//another.") for line in lines])
        # Of equal pages, the first in the order of the ids stands for the others, so pairs are compared by group.
        if renamed[1] != {frozenset(map(rename, g)) for g in before[1]}:
            wrong.append("a host that is renamed changes others")
        copies = of("doubled", lines, [line.replace(".example/", ".copy/") for line in lines])
        twice = {frozenset(u for v in g for u in (v, v.replace(".example/", ".copy/"))) for g in before[1]}
        if {g for g in copies[1] if len(g) > 2} != {g for g in twice if len(g) > 2}:
            wrong.append("a corpus doubled has other groups")
        gone = json.loads(lines[0])["url"]
        kept = {(pair, f) for pair, f in before[0].items() if gone not in pair}
        if not kept <= set(of("fewer", lines[1:])[0].items()):
            wrong.append("a page removed takes pairs of others with it")
    return wrong


def trial(lshclust, seed, recall):
    r, wrong = random.Random(seed), []
    with tempfile.TemporaryDirectory() as folder:
        bags, pages = crawl(r, folder)
        w, threshold, run = r.choice([2, 3, 5, 10]), r.choice([.1, .2, .3]), folder + "/run"
        cluster(lshclust, run, w, threshold, "--workers", str(r.randint(1, 3)), folder + "/links.csv", folder + "/pages.jsonl")
        ids = {p["url"]: int(p["id"]) for p in table(lshclust, run, "pages")}
        pairs = table(lshclust, run, "topical_pairs")
        topical(pairs, table(lshclust, run, "topical_clusters"), bags, ids, threshold, recall, wrong)
        same = table(lshclust, run, "syntactic_pairs")
        syntactic(same, table(lshclust, run, "syntactic_clusters"), pages, ids, w, .5, .8, wrong)
    return wrong, len(pairs), len(same)


def main():
    lshclust, crawls, seed = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or ["20"])[0]), int((sys.argv[3:] or ["1"])[0])
    bad, topical_pairs, syntactic_pairs, recall = 0, 0, 0, [0, 0]
    for n in range(seed, seed + crawls):
        wrong, t, s = trial(lshclust, n, recall)
        wrong += laws(lshclust, n)
        bad, topical_pairs, syntactic_pairs = bad + bool(wrong), topical_pairs + t, syntactic_pairs + s
        for line in wrong[:5]:
            print(f"crawl {n}: {line}")
    print(f"{crawls} crawls, {topical_pairs} topical and {syntactic_pairs} syntactic pairs, "
          f"{recall[0] / recall[1]:.3f} of the topical ones of .3: {bad} crawls disagree")
    sys.exit(bad > 0)


main()
