#!/usr/bin/env python3
"""Writes the start page of the demo: index.py DIR CRAWL..., where DIR/CRAWL was written by lshclust serve --write."""
import html
import json
import pathlib
import re
import sys

ABOUT = {
    "postgresql": "The manual of PostgreSQL 15: one site, 1,144 pages, and the 238 places elsewhere that it links to",
    "npm": "The readmes of some 1,200 packages of npm, and the thousands of pages on hundreds of hosts that they link to",
}
out, crawls = pathlib.Path(sys.argv[1]), sys.argv[2:]
found = []
for crawl in crawls:
    for page in sorted((out / crawl).glob("*.html")):
        text = page.read_text()
        heading = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.S)
        title = html.unescape(re.sub(r"<[^>]+>", "", heading[1] if heading else "")).strip()
        if title and page.name.split("-")[0] in ("page", "cluster", "topic"):
            words = html.unescape(" ".join(re.findall(r'<meta name="description" content="([^"]*)"', text)))
            found.append([f"{crawl}/{page.name}", re.sub(r"\s+", " ", title), words[:200]])
items = "\n".join(f'<li><h2><a href="{c}/index.html">{c}</a></h2><p>{ABOUT[c]}.' for c in crawls)
rows = json.dumps(found, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
(out / "index.html").write_text(f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>lshclust: which pages of a crawl belong together</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 17px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem }}
ul {{ padding: 0; list-style: none }}
input {{ font: inherit; width: 100%; padding: .4rem; box-sizing: border-box }}
small {{ opacity: .8 }}
</style>
<main>
<h1>Which pages of a crawl belong together</h1>
<p>Two crawls, as <code>lshclust serve --write</code> shows them: topics by what the web says about pages, near-copies by their texts,
and why, for every pair. These are files: nothing runs on a server.</p>
<ul>
{items}
</ul>
<h2><label for="q">Search the pages shown</label></h2>
<p><input id="q" type="search" autocomplete="off"></p>
<ul id="found" aria-live="polite"></ul>
</main>
<script>
const rows = {rows}
const list = document.getElementById('found')
document.getElementById('q').addEventListener('input', e => {{
	const words = e.target.value.toLowerCase().split(/\\s+/).filter(w => w)
	const hits = words.length ? rows.filter(r => words.every(w => (r[1] + ' ' + r[2]).toLowerCase().includes(w))).slice(0, 30) : []
	list.replaceChildren(...hits.map(([to, title, about]) => {{
		const item = document.createElement('li'), link = document.createElement('a'), rest = document.createElement('small')
		link.href = to
		link.textContent = title
		rest.textContent = ' ' + about
		item.append(link, rest)
		return item
	}}))
}})
</script>
""")
print(f"{len(found)} pages can be searched; open {out / 'index.html'}")
