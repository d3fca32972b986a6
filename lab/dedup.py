"""Checks the output of lshclust dedup against its inputs, with nothing of lshclust: python3 lab/dedup.py OUT [TRUTH NEAR]

For every line of removed.jsonl it computes the words and the sets of shingles of both texts from the inputs and compares
all figures; it checks that the kept record is in the output and the removed one is not, that the outputs are the inputs
without the removed lines, byte for byte, and that the books of report.json balance. With a truth (url_a, url_b, jaccard)
it prints recall: of the records that have a kept twin or went, the share that went. Inputs are JSON Lines with text, plain,
.gz or .zst, in scripts without marks, or Chinese.
"""
import gzip, json, re, subprocess, sys
from collections import Counter, defaultdict

HAN = "\u2e80-\u2fdf\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORD = re.compile(f"[{HAN}]|[^\\W_{HAN}]+")


def lines(path):
    if path.endswith(".zst"):
        data = subprocess.run(["zstd", "-dc", path], stdout=subprocess.PIPE, check=True).stdout
    else:
        data = (gzip.open if path.endswith(".gz") else open)(path, "rb").read()
    return data.splitlines(keepends=True) if b"\r" not in data else re.findall(rb"[^\n]*\n|[^\n]+$", data)


def shingles(text):
    w = WORD.findall(text.lower())
    return w, {tuple(w[i:i + 5]) for i in range(max(len(w) - 4, 1))} if w else set()


def main(out, truth=None, near=0.7):
    report = json.load(open(out + "/report.json"))
    plan = report["plan"]
    files = {(i["name"] or i["path"]): lines(i["path"]) for i in plan["inputs"]}
    seen = {i["path"] for i in plan["inputs"] if not i["name"]}
    removed = [json.loads(l) for l in open(out + "/removed.jsonl")]
    gone = defaultdict(set)
    for r in removed:
        gone[r["file"]].add(r["record"])
    wrong = Counter()
    text = lambda file, n: json.loads(files[file][n - 1].decode("utf-8-sig", "replace"))["text"]
    for r in removed:
        if r["kept_record"] in gone[r["kept_file"]]:
            wrong["the kept record is removed"] += 1
        if r["file"] in seen:
            wrong["a seen record is removed"] += 1
        a, b = text(r["file"], r["record"]), text(r["kept_file"], r["kept_record"])
        (wa, sa), (wb, sb) = shingles(a), shingles(b)
        both = len(sa & sb)
        j = both / len(sa | sb)
        relation = "identical" if a == b else "same words" if wa == wb else "near" if j >= plan["options"]["near"] - 1e-9 else "contained"
        if relation != r["relation"]:
            wrong["relation"] += 1
        figures = (j, both / len(sa), both / len(sb))
        if any(abs(x - r[k]) > 1e-9 for x, k in zip(figures, ("resemblance", "contained", "contains"))):
            wrong["figures"] += 1
        if relation == "contained" and figures[1] < plan["options"].get("contained", 2) - 1e-9:
            wrong["not contained"] += 1
    if report["written"]:
        for name, content in files.items():
            if name in seen:
                continue
            want = b"".join(l for n, l in enumerate(content, 1) if n not in gone[name])
            if want != b"".join(lines(out + "/" + name)):
                wrong["bytes of " + name] += 1
    for share in [report["total"]] + report["files"]:
        if share["records"] != share["kept"] + share["removed"] + share["unread"]:
            wrong["books"] += 1
    print(f"{len(removed)} removals checked, wrong: {dict(wrong) or 0}")
    if truth:
        recall(report, files, removed, truth, float(near))
    return bool(wrong)


def recall(report, files, removed, truth, near):
    went = {r["id"] for r in removed}
    left = set()
    pairs = 0
    for l in open(truth):
        if l[0] != "#":
            a, b, j = l.split()
            if float(j) >= near:
                pairs += 1
                if a not in went and b not in went:
                    left.add((a, b))
    print(f"{pairs} pairs of {near} or more; kept with a kept twin: {len(left)}; recall {1 - len(left) / (len(went) + len(left)):.4f} of removals")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
