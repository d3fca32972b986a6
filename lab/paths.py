"""Checks paths of topics on a server, or shows names before and now.

lab/paths.py http://127.0.0.1:8080 URLS: of up to 1,000 URLs, evenly taken from the first column of URLS, the page shows a path of
topics; each but the first must be a part of the one before, with the number of documents that its own page shows.

lab/paths.py LSHCLUST RUN URLS BEFORE ITS-RUN: the paths of 50 of the URLs side by side as a table of Markdown, also by the binary of
another version.
"""

import html
import json
import re
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request


def urls(path, most):
    with open(path) as f:
        all = [line.split("\t")[0].strip() for line in f if not line.startswith("#")]
    return all[:: max(1, len(all) // most)][:most]


def out(*args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode()


def shown(path):
    return " › ".join([", ".join(t[:2]) for t in path[:-1]] + [", ".join(t) for t in path[-1:]])


def above(command, run, url):
    answer = out(command, "topics", run, "--contains", url, "--format", "json")
    return [[t["title"], *filter(None, t["also"].split(", "))] for t in (json.loads(answer)["items"] if answer else [])]


def side_by_side(command, run, path, before, its_run):
    print("| page | before | now |\n|---|---|---|")
    for url in urls(path, 50):
        cells = [re.sub("^https?://", "", url), shown(above(before, its_run, url)), shown(above(command, run, url))]
        print("|", " | ".join(c.replace("|", "\\|") for c in cells), "|")


def check(server, path):
    def get(path, **args):
        try:
            return urllib.request.urlopen(f"{server}{path}?{urllib.parse.urlencode(args)}").read().decode()
        except urllib.error.HTTPError:
            return ""

    known, paths, steps, bad = {}, 0, 0, 0

    def topic(id):
        if id not in known:
            lead = re.search(r'<p class="lead">([\d,]+) documents', get("/cluster", id=id))
            items, cursor = [], {}
            while cursor is not None and (answer := get("/v1/tree", id=id, limit=1000, **cursor)):
                answer = json.loads(answer)
                items += answer["items"]
                cursor = {"cursor": answer["next"]} if answer.get("next") else None
            known[id] = int(lead[1].replace(",", "")) if lead else 0, {i["id"]: i["size"] for i in items}
        return known[id]

    for url in urls(path, 1000):
        about = re.search(r'<p class="topic">About (.*?)</p>', get("/page", url=url))
        if not about:
            continue
        paths += 1
        ids = [html.unescape(i) for i in re.findall(r'href="/cluster\?id=([^"]*)"', about[1])]
        for above, id in zip([None, *ids], ids):
            steps += 1
            size = topic(id)[0]
            bad += size == 0 or above is not None and (topic(above)[1].get(id) != size or topic(above)[0] < size)
    print(f"{paths} paths, {steps} steps, {bad} of them wrong")


if __name__ == "__main__":
    (check if len(sys.argv) == 3 else side_by_side)(*sys.argv[1:])
