"""A run that is built on Spark is that of one machine, whatever fails on the way."""

import itertools
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import lshclust
import lshclust.spark
from lshclust.spark import _rows, _storage
from lshclust.spark._job import together

HERE = Path(__file__).resolve().parent
DATA = HERE.parents[3] / "shared/data"
INPUTS = {
    name: [str(path) for path in sorted((DATA / name).glob("pages*.jsonl.gz"))] for name in ("docs", "versions-llvm")
}

#: What run.json holds of a stage that differs between two runs of the same inputs.
MEASURED = ("wall_seconds", "cpu_seconds", "peak_anon_bytes", "peak_file_bytes", "peak_disk_bytes", "finished")


def contents(run, inputs=True):
    """Return the bytes of all files of a run, and the manifest without times and memory.

    Without inputs, it leaves out what holds the paths of inputs.
    """
    files = {str(path.relative_to(run.path)): path for path in run.path.rglob("*") if path.is_file()}
    manifest = json.loads(files.pop("run.json").read_text())
    for stage in manifest["stages"]:
        for measured in MEASURED:
            stage.pop(measured)
    for measured in ("started", "finished", "digest"):
        manifest.pop(measured)
    if not inputs:
        manifest["inputs"] = [{**i, "path": Path(i["path"]).name} for i in manifest["inputs"]]
        manifest["tables"] = [t for t in manifest["tables"] if t["name"] != "pages.parquet"]
        files.pop("pages.parquet")
    return {"run.json": manifest} | {name: path.read_bytes() for name, path in files.items()}


def assert_same(run, wanted, inputs=True):
    got, want = contents(run, inputs), contents(wanted, inputs)
    assert got["run.json"] == want["run.json"]
    assert sorted(got) == sorted(want)
    assert [name for name in want if got[name] != want[name]] == []
    run.check()


def pages(run, folder):
    """Return the bytes of the overview and the other pages of a run, but for the one with the paths of inputs."""
    subprocess.run([lshclust.binary(), "serve", str(run.path), "--write", str(folder), "--pages", "5"], check=True)
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "run.html"}


@pytest.mark.parametrize("case", (os.environ.get("LSHCLUST_SPARK_CASES") or "demo:web").split())
def test_same(spark, folder, sample, local, case):
    """Both views, both presets: the same bytes, and the same pages. What staging held is gone."""
    name, preset = case.split(":")
    inputs = INPUTS.get(name) or [str(sample)]
    out = folder / f"{name}-{preset}"
    run = lshclust.spark.cluster(spark, inputs, out, preset=preset, progress=False)
    wanted = local(f"{name}-{preset}", *inputs, preset=preset)
    assert_same(run, wanted)
    assert pages(run, Path(f"{out}-pages")) == pages(wanted, Path(f"{out}-wanted"))
    assert not Path(f"{out}.staging").exists()


@pytest.mark.parametrize("kill", [False, True])
def test_dedup(spark, folder, kill):
    """The output is that of the command, also if in every step a task, a Python worker or an executor is killed."""
    corpus, wanted = folder / "corpus", folder / "dedup-wanted"
    if not corpus.exists():
        corpus.mkdir()
        for shard in range(3):
            texts = (" ".join(f"w{(i * 7 + k // (1 + i % 3)) % 991}" for k in range(200)) for i in range(shard, 900, 2))
            lines = "".join(json.dumps({"id": n, "text": text}) + "\n" for n, text in enumerate(texts))
            (corpus / f"{shard}.jsonl").write_text(lines * 9)
        lshclust.dedup(corpus, wanted, near=0.7, contained=0.9)
    steps, binary = ["scan", "candidates", "sets", "decide", "tell", "write"], None
    if kill:
        victims = dict(zip(steps, itertools.cycle(["command", "worker", "executor"])))
        kills = folder / "dedup-kills"
        kills.mkdir()
        code = KILLING.replace("FOLDER", str(kills)).replace("VICTIMS", repr(victims))
        binary = script(folder / "dedup-killing", code)
    out = folder / f"dedup-{kill}"
    report = lshclust.spark.dedup(spark, corpus, out, near=0.7, contained=0.9, binary=binary, progress=False)
    assert report["total"]["removed"] > 100
    want, got = (
        {str(p.relative_to(run)): p.read_bytes() for p in run.rglob("*") if p.is_file()} for run in (wanted, out)
    )
    assert sorted(got) == sorted(want)
    assert [name for name in want if got[name] != want[name]] == []
    if kill:
        assert sorted(path.name for path in kills.iterdir()) == sorted(steps)


def test_together():
    """Consecutive parts share a task, as many as the command says."""
    assert together([1, 2, 3, 5, 6, 9], 2) == [[1, 2], [3, 3], [5, 6], [9, 9]]
    assert together([4], 3) == [[4, 4]]


def script(path, code):
    """Write a program in the place of the command, which begins with the path of the command and its step."""
    head = f"#!{sys.executable}\nimport os, signal, subprocess, sys, time\n"
    path.write_text(f"{head}command = {lshclust.binary()!r}\nstep = sys.argv[2]\n{code}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


#: Lets the command begin and, once in every stage, kills it, the Python worker that started it, or the executor.
KILLING = """
def parent(pid):
    return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])

stage = step.split("-")[0]
child = subprocess.Popen([command, *sys.argv[1:]])
try:
    open(f"FOLDER/{stage}", "x").close()
except FileExistsError:
    sys.exit(child.wait())
worker = os.getppid()
victims = {"command": child.pid, "worker": worker, "executor": parent(parent(worker))}
time.sleep(0.03)
os.kill(victims[VICTIMS[stage]], signal.SIGKILL)
child.wait()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed(spark, folder, sample, local):
    """In every stage, a task of the command, a Python worker or an executor is killed. The run is the same."""
    wanted = local("sample", str(sample))
    stages = [s["name"] for s in wanted.info()["stages"]]
    victims = dict(zip(stages, itertools.cycle(["command", "worker", "executor"])))
    kills = folder / "kills"
    kills.mkdir()
    killing = script(folder / "killing", KILLING.replace("FOLDER", str(kills)).replace("VICTIMS", repr(victims)))
    run = lshclust.spark.cluster(spark, sample, folder / "killed", binary=killing, progress=False)
    assert_same(run, wanted)
    assert sorted(path.name for path in kills.iterdir()) == sorted(stages)


def test_fails(spark, folder, sample):
    """The error of a task that fails for good names stage, step, part and reason."""
    failing = script(
        folder / "failing",
        """
if step == "sign-nodes":
    sys.exit("lshclust: no luck today")
os.execv(command, [command, *sys.argv[1:]])
""",
    )
    with pytest.raises(lshclust.Failed) as failed:
        lshclust.spark.cluster(spark, sample, folder / "failed", binary=failing, progress=False, views="topical")
    assert str(failed.value) == "stage sign, step sign-nodes, part 1 of 1: no luck today"
    with pytest.raises(TypeError, match="no setting 'widow'"):
        lshclust.spark.cluster(spark, sample, folder / "wrong", widow=3)


def test_continued(spark, folder, sample, local):
    """A driver that was stopped goes on."""

    def stop(event):
        if event == {"event": "done", "stage": "redirect"}:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lshclust.spark.cluster(spark, sample, folder / "continued", progress=stop)
    run = lshclust.spark.cluster(spark, sample, folder / "continued", progress=False)
    assert_same(run, local("sample", str(sample)))


def test_url(folder):
    """Inputs that URLs name are copied to where all workers see them, once and in the order of their names."""
    source = folder / "bucket"
    (source / "b").mkdir(parents=True)
    for name in ("b/2.jsonl", "1.jsonl"):
        (source / name).write_text(name)
    for _ in range(2):
        copies = [Path(path) for path in _storage.copied(f"file://{source}", str(folder / "copies"))]
        assert [copy.read_text() for copy in copies] == ["1.jsonl", "b/2.jsonl"]
        (source / "1.jsonl").write_text("changed")
    with pytest.raises(FileNotFoundError):
        _storage.copied(f"file://{folder}/nothing", str(folder / "copies"))


def test_frame(spark, folder):
    """Pages of a DataFrame become the same files however they are distributed, and the run is that of these files."""
    rows = [
        (f"https://{n % 7}.example/{n}", f"<p>Page {n % 50} on <a href=https://0.example/{n % 90}>topic {n % 9}</a>")
        for n in range(700)
    ]
    pages = spark.createDataFrame(rows, "url string, html string")
    files = _rows.written(pages.repartition(5).sort("html"), str(folder / "frame/a"), 4)
    other = _rows.written(pages.repartition(3), str(folder / "frame/b"), 4)
    assert [Path(f).read_bytes() for f in files] == [Path(f).read_bytes() for f in other]
    assert len(files) == 4
    run = lshclust.spark.cluster(spark, pages, folder / "frame/run", files=4, progress=False)
    assert run.info()["counts"]["pages"] == 700
    wanted = lshclust.cluster(files, folder / "frame/local", progress=False)
    assert_same(run, wanted, inputs=False)
    assert run.pages().drop_columns("input") == wanted.pages().drop_columns("input")
