#!/usr/bin/env python3
"""Are copies and moved pages found in every language?

    lab/languages_copies.py LSHCLUST FOLDER LANGUAGE...

FOLDER holds a folder of HTML for each language, as for lab/languages.py. Of each language, the 40 pages with the most words
get a near copy (one block in twelve is left out), a part (the first half of the blocks) and a copy in Unicode's decomposed form
on other hosts; and 45 pages move to another path, without one block in ten. Prints how many are found: near copies and parts
by `duplicates`, with a resemblance of .5 or a containment of .8; decomposed copies with a resemblance of 1; moved pages by
`moved`, with a confidence of .5. Runs are made in the current folder.
"""
import html, json, pathlib, re, subprocess, sys, unicodedata

program, folder, languages = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]


def lshclust(*args):
    return subprocess.run([program, *map(str, args)], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def blocks(path):
    """The title of a page and its blocks of text."""
    page = path.read_text("utf-8", "replace")
    title = re.search(r"<title>(.*?)</title>", page, re.S)
    body = re.sub(r"(?s)<(script|style|head)\b.*?</\1>", " ", page)
    texts = (html.unescape(re.sub(r"<[^>]*>", "", b)).strip() for b in re.split(r"</?(?:p|div|h\d|li|td|tr|table|ul|ol|pre|body|br)\b[^>]*>", body))
    return html.unescape(title[1]) if title else "", [" ".join(t.split()) for t in texts if len(t.strip()) > 1]


def page(url, title, texts, form="NFC"):
    text = f"<html><head><title>{html.escape(title)}</title></head><body>" + "".join(f"<p>{html.escape(t)}</p>" for t in texts)
    return {"url": url, "html": unicodedata.normalize(form, text)}


def run(name, views, pages):
    pathlib.Path(name + ".jsonl").write_text("".join(json.dumps(p) + "\n" for p in pages))
    lshclust("cluster", "-q", "--views", views, "-o", name, name + ".jsonl")
    return name


def thin(texts, every):
    return [t for i, t in enumerate(texts) if i % every != every - 1]


for language in languages:
    all = {str(p.relative_to(folder / language)): blocks(p) for p in (folder / language).rglob("*.html")}
    longest = sorted(all, key=lambda n: (-sum(map(len, all[n][1])), n))
    own = [page(f"https://a.example/{n}", *all[n]) for n in all]
    copies = []
    for n in longest[:40]:
        title, texts = all[n]
        copies += [page(f"https://near.example/{n}", title, thin(texts, 12)), page(f"https://part.example/{n}", title, texts[:len(texts) // 2]),
                   page(f"https://form.example/{n}", title, texts, "NFD")]
    made = run(f"copies-{language}", "syntactic", own + copies)
    found = {"near": 0, "part": 0, "form": 0}
    pathlib.Path("urls").write_text("".join(f"https://a.example/{n}\n" for n in longest[:40]))
    for line in lshclust("duplicates", made, "--urls", "urls", "--format", "jsonl").splitlines():
        pair = json.loads(line)
        host, name = re.match(r"https://(\w+)\.example/(.*)", pair["url"]).groups()
        r, c = pair["resemblance"], pair["other_in_this"]
        if host in found and pair["of"].endswith("/" + name):
            found[host] += {"near": r >= .5, "part": c >= .8, "form": r == 1}[host]
    moved = longest[40:85]
    old = run(f"old-{language}", "topical,syntactic", own)
    new = run(f"new-{language}", "topical,syntactic", [page(f"https://a.example/{n}", *all[n]) for n in all if n not in moved] +
              [page(f"https://a.example/new/{i}/", all[n][0], thin(all[n][1], 10)) for i, n in enumerate(moved)])
    right = 0
    for line in lshclust("moved", old, new, "--format", "jsonl").splitlines():
        verdict = json.loads(line)
        name = verdict["url"].removeprefix("https://a.example/")
        right += name in moved and verdict["new_urls"] == [f"https://a.example/new/{moved.index(name)}"] and verdict["confidence"] >= .5
    print(language, *(f"{k} {v}/40" for k, v in found.items()), f"moved {right}/{len(moved)}", sep="\t", flush=True)
