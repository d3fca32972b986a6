#!/usr/bin/env python3
"""How related pages fare in other languages, by a manual that is translated page by page.

    lab/languages.py [--together] [--set NAME=VALUE]... LSHCLUST FOLDER REFERENCE LANGUAGE...

FOLDER holds a folder of HTML for each language, with the same page names. For each page, the three pages that the run of
the reference language has nearest by content are looked for among the ten nearest of each other language. Prints the
share found: each language in a run of its own, or all in one run (--together), where pages of other languages are passed
over, and those of the page's own language that are mirrors of one in another (no title is translated) are not. Runs are made in the current folder and kept.

Debian has such manuals: libreoffice-help-* (a folder text/{scalc,swriter,shared}/guide for each language),
debian-handbook and aptitude-doc-* (apt-get download, dpkg -x).
"""
import argparse, collections, json, pathlib, subprocess

a = argparse.ArgumentParser()
a.add_argument("--together", action="store_true")
a.add_argument("--set", action="append", default=[])
a.add_argument("lshclust"), a.add_argument("folder", type=pathlib.Path), a.add_argument("languages", nargs="+")
a = a.parse_args()
settings = [x for s in a.set for x in ("--set", s)]


def lshclust(*args):
    return subprocess.run([a.lshclust, *map(str, args)], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout


def run(name, *folders):
    path = pathlib.Path(f"run-{name}")
    if not (path / "run.json").exists():
        lshclust("cluster", "-q", "--views", "topical", "--base", "https://x.example/", *settings, "-o", path, *folders)
    return path


def lists(language):
    """The neighbours of each page of a language, by the part of their URLs after the language."""
    top = a.folder if a.together else a.folder / language
    path = run("together", a.folder) if a.together else run(language, top)
    before = f"https://x.example/{language}/" if a.together else "https://x.example/"
    names = {str(p.relative_to(a.folder / language)) for p in (a.folder / language).rglob("*.html")} & pages
    asked = pathlib.Path(f"urls-{language}")
    asked.write_text("".join(f"{before}{n}\n" for n in sorted(names)))
    out = collections.defaultdict(list)
    for line in lshclust("related", path, "--urls", asked, "--limit", 1000 if a.together else 100, "--by", "content", "--format", "jsonl").splitlines():
        pair = json.loads(line)
        of = pair["of"].removeprefix(before)
        out[of] += [n for n in (url.removeprefix(before) for url in [pair["url"], *pair["mirrors"]]) if n in names]
    return out


pages = {str(p.relative_to(a.folder / a.languages[0])) for p in (a.folder / a.languages[0]).rglob("*.html")}
want = lists(a.languages[0])
for language in a.languages[1:]:
    got = lists(language)
    found = [near in got[of][:10] for of in want for near in want[of][:3]]
    print(f"{language}\t{sum(found) / max(1, len(found)):.3f}")
