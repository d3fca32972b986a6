"""A run that is built on Spark is that of one machine, whatever fails on the way."""

import json
import os
import shutil
import stat
import sys
from pathlib import Path

import pyarrow.fs
import pytest
from conftest import S3
from pyspark.sql import functions as F

import lshclust
import lshclust.spark
from lshclust.spark import _job, _rows
from lshclust.spark._job import Job

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


@pytest.mark.parametrize("case", (os.environ.get("LSHCLUST_SPARK_CASES") or "demo:web").split())
def test_same(spark, folder, sample, local, case):
    """Both views, both presets: the same bytes. What staging held is gone."""
    name, preset = case.split(":")
    inputs = INPUTS.get(name) or [str(sample)]
    out = folder / f"{name}-{preset}"
    run = lshclust.spark.cluster(spark, inputs, out, preset=preset, progress=False)
    assert_same(run, local(f"{name}-{preset}", *inputs, preset=preset))
    assert not list(Path(f"{out}.staging").glob("*"))


def test_apart(spark, folder):
    """Each task has a partition of Spark, so that executors share the work."""
    job = Job(spark, str(folder / "apart"), None, None, None, None, print)
    rows = spark.range(64).selectExpr("cast(id % 16 as int) as task", "cast(null as binary) as frame")
    apart = job._apart(rows, 16)
    found = apart.select(F.spark_partition_id().alias("at"), "task").distinct().collect()
    assert len(found) == len({row.at for row in found}) == 16


def script(path, code):
    """Write a program in the place of the command, which begins with the path of the command and its step."""
    head = f"#!{sys.executable}\nimport os, signal, subprocess, sys, time\n"
    path.write_text(f"{head}command = {lshclust.binary()!r}\nstep = sys.argv[2]\n{code}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


#: Lets the command begin and kills it, or the Python worker that started it, or the executor, once each in every stage.
KILLING = """
def parent(pid):
    return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])

def victim():
    worker = os.getppid()
    for name, pid in [("command", 0), ("worker", worker), ("executor", parent(parent(worker)))]:
        try:
            open(f"FOLDER/{step.split('-')[0]} {name}", "x").close()
            return name, pid
        except FileExistsError:
            pass
    return None, None

name, pid = victim()
child = subprocess.Popen([command, *sys.argv[1:]])
if name is None:
    sys.exit(child.wait())
time.sleep(0.03)
os.kill(pid or child.pid, signal.SIGKILL)
child.wait()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_killed(spark, folder, sample, local):
    """In every stage, an executor, a Python worker and a task of the command are killed. The run is the same."""
    kills = folder / "kills"
    kills.mkdir()
    killing = script(folder / "killing", KILLING.replace("FOLDER", str(kills)))
    run = lshclust.spark.cluster(spark, sample, folder / "killed", binary=killing, progress=False)
    assert_same(run, local("sample", str(sample)))
    stages = [s["name"] for s in run.info()["stages"]]
    victims = ("command", "worker", "executor")
    assert {path.name for path in kills.iterdir()} == {f"{stage} {victim}" for stage in stages for victim in victims}


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
    """A driver that was stopped goes on, also when the blocks of the read stage were lost with its session."""

    def stop(event):
        if event == {"event": "done", "stage": "redirect"}:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lshclust.spark.cluster(spark, sample, folder / "continued", progress=stop)
    spark.catalog.clearCache()
    run = lshclust.spark.cluster(spark, sample, folder / "continued", progress=False)
    assert_same(run, local("sample", str(sample)))


def test_s3(spark, folder, sample, s3, monkeypatch):
    """Inputs and staging are in S3. No worker sees a folder of the driver. Tasks have several parts."""
    for name, value in S3.items():
        monkeypatch.setenv(name, value)
    bucket, _ = pyarrow.fs.FileSystem.from_uri("s3://crawl")
    bucket.create_dir("crawl/pages")
    with bucket.open_output_stream(f"crawl/pages/{sample.name}") as f:
        f.write(sample.read_bytes())
    divided = []

    def together(parts, sizes):
        monkeypatch.setattr(_job, "_TASK", sum(sizes.values()) // 3)
        divided.append(_together(parts, sizes))
        return divided[-1]

    _together = _job.together
    monkeypatch.setattr(_job, "together", together)
    run = lshclust.spark.cluster(
        spark,
        "s3://crawl/pages",
        folder / "from-s3",
        staging="s3://crawl/staging",
        inputs_at=folder / "inputs",
        cache=folder / "cache",
        progress=False,
    )
    assert [tasks for tasks in divided if len([1 for first, last in tasks if first < last]) > 1]
    assert not [path for path in s3.rglob("*") if path.is_file() and path.name != sample.name]
    copy = folder / "inputs/s3/crawl/pages" / sample.name
    assert not copy.exists()
    shutil.copyfile(sample, copy)
    assert_same(run, lshclust.cluster(copy, folder / "from-copy", progress=False))


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
