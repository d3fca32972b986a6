"""Compares the texts of `lshclust export RUN text` with what two extractors find.

    lshclust export RUN text > texts.jsonl
    python3 lab/texts/compare.py pages.jsonl.gz texts.jsonl      # needs trafilatura, readability-lxml, lxml_html_clean

The right text of a page is that of its element <main>, <article> or role="main". A page without one has been cut to its
content already, and all of it is right. Words count as often as they occur: the precision is the share of the words found
that are right, the recall the share of the right words that are found, over all words of all pages (and F per page, as a
mean). trafilatura and readability see the whole page, with these elements; lshclust does not look at them.
"""

import collections
import gzip
import json
import re
import sys

import lxml.html
import readability
import trafilatura

HIDDEN = ("script", "style", "noscript", "template", "head", "title")


def words(text):
    return collections.Counter(re.findall(r"\w+", text.lower()))


def text_of(element):
    """The text of an element, with blanks between elements of any kind but inline ones."""
    parts = []

    def walk(e):
        if not isinstance(e.tag, str) or e.tag in HIDDEN:
            return
        inline = e.tag in ("a", "b", "i", "em", "strong", "span", "code", "tt", "sub", "sup", "u", "var", "kbd", "font", "small")
        parts.append("" if inline else " ")
        parts.append(e.text or "")
        for child in e:
            walk(child)
            parts.append(child.tail or "")
        parts.append("" if inline else " ")

    walk(element)
    return "".join(parts)


def right(tree):
    for path in ("//main", "//*[@role='main']", "//article"):
        found = tree.xpath(path)
        if len(found) == 1:
            return text_of(found[0])
    return text_of(tree.find("body") if tree.find("body") is not None else tree)


def by_readability(page):
    return text_of(lxml.html.fromstring(readability.Document(page).summary() or "<p></p>"))


def main(pages, texts):
    rules = re.compile(r"^https?://(www\.)?|/?(index\.html?)?$")
    ours = {rules.sub("", t["url"]): t["text"] for t in map(json.loads, open(texts))}
    total = collections.defaultdict(lambda: [0, 0, 0, 0.0, 0])
    for line in gzip.open(pages, "rt"):
        page = json.loads(line)
        mine = ours.get(rules.sub("", page["url"].split("#")[0]))
        if mine is None:
            continue
        tree = lxml.html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", page["html"]))
        gold = words(right(tree))
        found = {
            "the whole page": text_of(tree),
            "lshclust": mine,
            "trafilatura": trafilatura.extract(page["html"]) or "",
            "readability": by_readability(page["html"]),
        }
        for name, text in found.items():
            w = words(text)
            both = (w & gold).total()
            t = total[name]
            t[0] += both
            t[1] += w.total()
            t[2] += gold.total()
            t[3] += 2 * both / max(1, w.total() + gold.total())
            t[4] += 1
    print(f"{'':28}{'pages':>6} precision recall     F  F per page")
    for name, (both, found, gold, f, pages) in total.items():
        p, r = both / max(1, found), both / max(1, gold)
        print(f"{name:28}{pages:6} {p:9.3f} {r:6.3f} {2 * p * r / max(1e-9, p + r):5.3f}  {f / pages:10.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
