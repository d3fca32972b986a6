"""Measures runs on Spark beside the run of one machine: wall time, processor time of all processes, memory, shuffle.

spark-bench.sh runs it, and its help says more.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "tests/spark"))

import lshclust

_TICK = os.sysconf("SC_CLK_TCK")
_KINDS = ("JVM", "Python", "command")


@dataclass
class Process:
    """A process: its parent, its name, processor time of itself and of its ended children in seconds."""

    parent: int
    name: str
    own: float
    children: float

    @property
    def kind(self) -> str:
        """Return which of the programs it is."""
        if self.name == "java":
            return "JVM"
        return "Python" if self.name.startswith(("python", "pt_main")) else "command"


def processes(root: int) -> dict[int, Process]:
    """Return a process and all that descend from it."""
    found: dict[int, Process] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = stat.read_text().rpartition(")")
        except OSError:  # it has ended
            continue
        pid, _, name = head.partition(" (")
        fields = tail.split()
        user, system, users, systems = (int(ticks) / _TICK for ticks in fields[11:15])
        found[int(pid)] = Process(int(fields[1]), name, user + system, users + systems)
    tree = {root}
    while more := {pid for pid, process in found.items() if process.parent in tree} - tree:
        tree |= more
    return {pid: process for pid, process in found.items() if pid in tree}


def anonymous(pid: int) -> int:
    """Return the anonymous memory of a process, in bytes."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("RssAnon:"))


@dataclass
class Meter:
    """What the processes below one of them have taken until now."""

    root: int
    jvms: dict[int, float] = field(default_factory=dict)
    pythons: dict[int, Process] = field(default_factory=dict)
    daemons: set[int] = field(default_factory=set)
    peaks: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    lock: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> dict[str, float]:
        """Return the seconds of processor time by program.

        JVMs and workers of Python live long, so what they took is known without looking often, also when they have
        ended. The command is started by the driver and by workers, and its time is that of their ended children. The
        children of the daemons are workers, whose time the daemons may have or not.
        """
        with self.lock:
            tree = processes(self.root)
            self.jvms |= {pid: p.own for pid, p in tree.items() if p.kind == "JVM"}
            pythons = {pid: p for pid, p in tree.items() if p.kind == "Python"}
            self.daemons |= {pid for pid, p in pythons.items() if p.parent in self.jvms}
            self.pythons |= pythons
            memory: dict[str, int] = defaultdict(int)
            for pid, process in tree.items():
                memory[process.kind] += anonymous(pid)
            memory["all"] = sum(memory.values())
            for kind, size in memory.items():
                self.peaks[kind] = max(self.peaks[kind], size)
            command = sum(p.own + p.children for p in tree.values() if p.kind == "command")
            command += sum(p.children for pid, p in self.pythons.items() if pid not in self.daemons)
            python = sum(p.own for p in self.pythons.values())
            return {"JVM": sum(self.jvms.values()), "Python": python, "command": command}


@dataclass
class Result:
    """A measured run: seconds, processor time by stage and program, memory, bytes that Spark counted."""

    wall: float
    stages: dict[str, dict[str, float]]
    peaks: dict[str, int]
    spark: dict[str, int]

    def cpu(self, kind: str) -> float:
        """Return the processor time of a program in all stages."""
        return sum(stage[kind] for stage in self.stages.values())

    @property
    def total(self) -> float:
        """Return the processor time of all programs."""
        return sum(self.cpu(kind) for kind in _KINDS)


def measured(arguments: list[str]) -> Result:
    """Run this program as a driver, and measure it and all it starts from one event of its progress to the next."""
    start = time.monotonic()
    child = subprocess.Popen([sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    meter = Meter(child.pid)
    ended = threading.Event()

    def sample() -> None:
        while not ended.wait(0.5):
            meter.look()

    sampler = threading.Thread(target=sample)
    sampler.start()
    before = dict.fromkeys(_KINDS, 0.0)
    stages: dict[str, dict[str, float]] = {}
    wall, counted = 0.0, {}
    for line in child.stdout:
        event = json.loads(line)
        if "stage" in event:
            now = meter.look()
            stages[event["stage"]] = {kind: now[kind] - before[kind] for kind in _KINDS}
            before, wall = now, time.monotonic() - start
        counted = event.get("counted", counted)
    ended.set()
    sampler.join()
    if child.wait():
        sys.exit(f"the run failed: {' '.join(arguments)}")
    return Result(wall, stages, dict(meter.peaks), counted)


def tell(**event: object) -> None:
    """Print an event for the process that measures."""
    print(json.dumps(event), flush=True)


def drive(options: argparse.Namespace) -> None:
    """Build a run, and print an event at the end of each stage."""

    def done(event: dict[str, object]) -> None:
        if event["event"] == "done":
            tell(stage=event["stage"])

    settings = dict(setting.split("=", 1) for setting in options.set)
    if not options.drive:
        lshclust.cluster(options.inputs, options.out, progress=done, **settings)
        tell(stage="end")
        return
    import clusters

    from lshclust.spark import cluster

    folder = Path(options.out).with_suffix(".spark")
    folder.mkdir()
    started = clusters.Processes(folder)
    try:
        master = started.standalone(options.drive)
        more = dict(setting.split("=", 1) for setting in options.conf)
        session = clusters.session(master, folder, **more)
        session.sparkContext.setLogLevel("ERROR")
        tell(stage="start of Spark")
        cluster(session, options.inputs, options.out, progress=done, **settings)
        tell(stage="end")
        tell(counted=metrics(session.sparkContext))
        session.stop()
    finally:
        started.kill()
        shutil.rmtree(folder)


def metrics(context: object) -> dict[str, int]:
    """Return sums over all stages of Spark, from the store that its web interface would show."""
    gateway = context._gateway
    store = context._jsc.sc().statusStore()
    no_quantiles, no_status = gateway.new_array(gateway.jvm.double, 0), gateway.jvm.java.util.ArrayList()
    found = store.stageList(None, False, False, no_quantiles, no_status)
    stages = [found.apply(n) for n in range(found.size())]
    names = ("shuffleWriteBytes", "shuffleReadBytes", "memoryBytesSpilled", "diskBytesSpilled", "numTasks")
    return {"numStages": len(stages)} | {name: sum(getattr(stage, name)() for stage in stages) for name in names}


def generated(options: argparse.Namespace, folder: Path) -> list[str]:
    """Write a generated crawl in parts, and return their paths."""
    paths = []
    for part in range(1, options.parts + 1):
        path = folder / f"part-{part}.{'tsv' if options.form == 'links' else 'jsonl'}"
        arguments = [f"-pages={options.pages}", f"-as={options.form}", f"-hub={options.hub}", f"-part={part}/{options.parts}"]
        with Path(path).open("wb") as out:
            lab = Path(__file__).resolve().parent.parent / "lab"
            subprocess.run(["go", "run", ".", "workload", *arguments], cwd=lab, stdout=out, check=True)
        paths.append(str(path))
    return paths


def contents(run: Path) -> dict[str, object]:
    """Return digests of all files of a run, and what run.json says apart from times and memory."""
    files = {str(path.relative_to(run)): path for path in run.rglob("*") if path.is_file()}
    manifest = json.loads(files.pop("run.json").read_text())
    for measured in ("started", "finished", "digest"):
        manifest.pop(measured, None)
    for stage in manifest["stages"]:
        for measured in [name for name in stage if name == "finished" or name.endswith("_seconds") or "peak_" in name]:
            stage.pop(measured)
    found: dict[str, object] = {"run.json": manifest}
    for name, path in files.items():
        with path.open("rb") as f:
            found[name] = hashlib.file_digest(f, "sha256").hexdigest()
    return found


def differing(a: dict[str, object], b: dict[str, object], lead: str = "") -> list[str]:
    """Return the names of what two dictionaries, or dictionaries in them, do not have in common."""
    names = []
    for name in sorted(a.keys() | b.keys()):
        x, y = a.get(name), b.get(name)
        if isinstance(x, dict) and isinstance(y, dict):
            names += differing(x, y, f"{lead}{name}: ")
        elif x != y:
            names.append(lead + name)
    return names


def table(results: dict[str, Result]) -> str:
    """Return a table of runs, and one of their stages, in Markdown."""
    first = next(iter(results.values()))
    lines = [
        "| run | wall s | cpu s | of the local run | JVM | Python | command | peak MiB | JVM | Python | command |",
        "| --- |" + " --- |" * 10,
    ]
    for name, r in results.items():
        cells = [f"{r.wall:.1f}", f"{r.total:.1f}", f"{r.total / first.total:.2f}"]
        cells += [f"{r.cpu(kind):.1f}" for kind in _KINDS]
        cells += [f"{r.peaks.get(kind, 0) / (1 << 20):.0f}" for kind in ("all", *_KINDS)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    names = list(dict.fromkeys(stage for r in results.values() for stage in r.stages))
    head = [f"{name}: cpu s | JVM | Python | command" if n else f"{name}: cpu s" for n, name in enumerate(results)]
    lines += ["", f"| stage | {' | '.join(head)} |", "| --- |" + " --- |" * (4 * len(results) - 3)]
    for stage in names:
        cells = []
        for n, r in enumerate(results.values()):
            of = r.stages.get(stage, dict.fromkeys(_KINDS, 0.0))
            cells.append(f"{sum(of.values()):.1f}")
            cells += [f"{of[kind]:.1f}" for kind in _KINDS] if n else []
        lines.append(f"| {stage} | {' | '.join(cells)} |")
    for name, r in results.items():
        lines += ["", f"{name}: {json.dumps(r.spark)}"] if r.spark else []
    return "\n".join(lines)


def main() -> None:
    """Measure what the command line says."""
    p = argparse.ArgumentParser(description=__doc__.partition("\n")[0], prog="spark-bench.sh")
    p.add_argument("inputs", nargs="*", help="the crawl; a generated one unless told otherwise")
    p.add_argument("--pages", type=int, default=15000, help="of a generated crawl: 27 documents a page (%(default)s)")
    p.add_argument("--form", choices=("pages", "links"), default="pages", help="of a generated crawl (%(default)s)")
    p.add_argument("--hub", type=int, default=0, help="links to one target, in addition (%(default)s)")
    p.add_argument("--parts", type=int, default=8, help="files of a generated crawl (%(default)s)")
    p.add_argument("--executors", type=int, nargs="+", default=[1, 2], help="numbers of executors (%(default)s)")
    p.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting, such as preset=web")
    p.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="a property of Spark")
    p.add_argument("--drive", type=int, help=argparse.SUPPRESS)  # build a run with so many executors, 0 for none
    p.add_argument("--out", help=argparse.SUPPRESS)
    options = p.parse_args()
    if options.drive is not None:
        drive(options)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        inputs = [os.path.abspath(path) for path in options.inputs] or generated(options, folder)
        same = [f"--set={setting}" for setting in options.set] + [f"--conf={setting}" for setting in options.conf]
        results, wanted, differences = {}, None, []
        for executors in [0, *options.executors]:
            name = f"{executors} executor{'s' * (executors > 1)}" if executors else "local"
            out = folder / f"{executors}.run"
            results[name] = measured([f"--drive={executors}", f"--out={out}", *same, *inputs])
            found = contents(out)
            shutil.rmtree(out)
            wanted = wanted or found
            differences += [f"{name}: {what} is not that of the local run" for what in differing(wanted, found)]
            print(f"{name}: {results[name].wall:.0f} s wall, {results[name].total:.1f} s cpu", file=sys.stderr)
        print(table(results))
        if differences:
            sys.exit("\n".join(differences))


if __name__ == "__main__":
    main()
