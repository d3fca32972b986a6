"""Shows what lshclust dedup does when things go wrong: python3 lab/shown.py LSHCLUST CORPUS.jsonl DIR WHAT...

WHAT is disk (full disks of growing size, then the same call with room), kill (SIGKILL at 20 moments, continued), bomb (gzip and
zstd of 2 GiB of zeros, one line of 1 GiB, --memory 256MiB), damage (a gzip shard with a broken block among others), flood
(50,000 texts of one template with a resemblance of about .5, and of about .9). Needs root for the full disks.
"""
import glob, gzip, hashlib, json, os, random, re, resource, signal, subprocess, sys, time

LSH, CORPUS, DIR = sys.argv[1:4]


def run(out, *args, memory="1GiB", **kw):
    began = time.time()
    p = subprocess.Popen([LSH, "dedup", "-q", "-o", out, "--near", "0.7", "--memory", memory, *args], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **kw)
    peak = 0
    while p.poll() is None:
        try:
            s = open(f"/proc/{p.pid}/status").read()
            peak = max(peak, int((re.search(r"RssAnon:\s+(\d+)", s) or [0, 0])[1]))
        except OSError:
            pass
        time.sleep(0.02)
    return p.returncode, p.stderr.read().decode().strip(), peak >> 10, time.time() - began


def digest(folder):
    h = hashlib.sha256()
    for root, _, names in sorted(os.walk(folder)):
        for n in sorted(names):
            b = open(os.path.join(root, n), "rb").read()
            if n == "report.json":
                r = json.loads(b)
                r["seconds"] = 0
                r["plan"] = None
                b = json.dumps(r).encode()
            h.update(n.encode() + b)
    return h.hexdigest()[:16]


def report(out):
    return json.load(open(out + "/report.json"))


def shards():
    lines = [l for l, _ in zip(open(CORPUS, "rb"), range(20000))]
    os.makedirs(DIR + "/in", exist_ok=True)
    for i in range(4):
        part = lines[i::4]
        data = b"".join(part)
        if i % 2:
            with gzip.GzipFile(f"{DIR}/in/{i}.jsonl.gz", "wb", 6, mtime=0) as f:
                f.write(data)
        else:
            open(f"{DIR}/in/{i}.jsonl", "wb").write(data)
    return DIR + "/in"


def fresh(name):
    subprocess.run(["rm", "-rf", f"{DIR}/{name}"], check=True)
    return f"{DIR}/{name}"


def disk():
    src = shards()
    want = fresh("whole")
    print(run(want, src, "--contained", "0.95")[:1])
    good = digest(want)
    mnt = DIR + "/mnt"
    os.makedirs(mnt, exist_ok=True)
    seen = {}
    for size in (1, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56):
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m", "none", mnt], check=True)
        try:
            rc, err, _, _ = run(mnt + "/out", src, "--contained", "0.95", env=os.environ | {"TMPDIR": mnt})
            seen.setdefault((rc, err.split("\n")[0][-90:]), []).append(size)
            subprocess.run(["mount", "-o", "remount,size=400m", mnt], check=True)
            rc, err, _, _ = run(mnt + "/out", src, "--contained", "0.95")
            if rc or digest(mnt + "/out") != good:
                print("after a full disk of", size, "MiB:", rc, err, digest(mnt + "/out"), good)
        finally:
            subprocess.run(["umount", mnt], check=True)
    for k, v in seen.items():
        print(v, "MiB:", k)


def kill():
    src = shards()
    want = fresh("whole")
    took = run(want, src, "--contained", "0.95")[3]
    good, steps = digest(want), {}
    for i in range(20):
        out = fresh("killed")
        p = subprocess.Popen([LSH, "dedup", "-o", out, "--near", "0.7", "--contained", "0.95", src], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(took * (i + 1) / 21)
        p.kill()
        p.wait()
        there = sorted({re.sub(r"[0-9]+", "N", n) for n in os.listdir(out + "/.dedup")}) if os.path.isdir(out + "/.dedup") else []
        steps[" ".join(there)] = steps.get(" ".join(there), 0) + 1
        rc, err, _, _ = run(out, src, "--contained", "0.95")
        if rc or digest(out) != good:
            print("killed at", i, rc, err)
    print("20 kills; left in the folder:", *(f"\n  {n} x {s or '(nothing)'}" for s, n in steps.items()))


def bomb():
    os.makedirs(DIR + "/bombs", exist_ok=True)
    text = json.dumps({"text": "a real text " * 20}) + "\n"
    for name, make in {
        "zeros.jsonl.gz": "head -c 2G /dev/zero | gzip -1", "zeros.jsonl.zst": "head -c 2G /dev/zero | zstd -q",
        "line.jsonl.zst": "(printf '{\"text\":\"'; head -c 1G /dev/zero | tr '\\0' 'a'; printf '\"}\\n') | zstd -q",
        "nest.jsonl.gz": "(printf '{\"text\":'; head -c 200M /dev/zero | tr '\\0' '['; echo) | gzip -1",
        "words.jsonl.zst": "(printf '{\"text\":\"'; head -c 100M /dev/zero | tr '\\0' 'a' | sed 's/aa/b /g'; printf '\"}\\n') | zstd -q",
    }.items():
        path = f"{DIR}/bombs/{name}"
        if not os.path.exists(path):
            subprocess.run(["bash", "-c", f"(printf '%s' '{text.strip()}'; echo; {make}) > {path}"])
            tool = "gzip" if name.endswith("gz") else "zstd -q"
            subprocess.run(["bash", "-c", f"({{ printf '%s\\n' '{text.strip()}' | {tool}; {make}; }}) > {path}"])
        rc, err, peak, took = run(fresh("bomb-out"), path, memory="256MiB")
        unread = report(DIR + "/bomb-out").get("unread") if os.path.exists(DIR + "/bomb-out/report.json") else None
        print(f"{name}: rc {rc}, {peak} MiB of anonymous memory, {took:.1f} s, unread {unread}, {err[:120]}")


def damage():
    src = shards()
    good = open(src + "/1.jsonl.gz", "rb").read()
    random.seed(3)
    bad = bytearray(good)
    at = len(bad) // 2
    bad[at:at + 64] = random.randbytes(64)
    open(src + "/1.jsonl.gz", "wb").write(bad)
    open(src + "/cut.jsonl.gz", "wb").write(good[:len(good) // 3])
    rc, err, _, _ = run(fresh("damaged"), src)
    r = report(DIR + "/damaged")
    for f in r["files"]:
        print(f["name"], {k: f[k] for k in ("records", "kept", "removed", "unread")})
    print("rc", rc, "|", err[:300], "|", r.get("unread"))
    os.remove(src + "/cut.jsonl.gz")
    print("strict:", run(fresh("strict"), src, "--strict")[:2])


def flood():
    random.seed(4)
    vocabulary = ["w%d" % i for i in range(50000)]
    for own, j in ((33, ".5"), (5, ".9")):
        base = random.choices(vocabulary, k=100)
        with open(DIR + "/flood.jsonl", "w") as f:
            for _ in range(50000):
                f.write(json.dumps({"text": " ".join(base + random.choices(vocabulary, k=own))}) + "\n")
        for extra in ((), ("--contained", "0.95")):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            rc, err, peak, took = run(fresh("flood-out"), DIR + "/flood.jsonl", *extra)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            print(f"50,000 of a template, J about {j} {' '.join(extra)}: removed {report(DIR + '/flood-out')['total']['removed']}, {cpu:.1f} CPU s, {peak} MiB")


for what in sys.argv[4:]:
    globals()[what]()
