"""Building runs: settings, progress, errors, interrupts."""

import json
import shutil
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import lshclust
from lshclust._keywords import Settings


def test_same_run(demo, sample, folder):
    """cluster() makes the tables that the command makes, and a finished run is not built again."""
    run = lshclust.cluster(sample, folder / "same", progress=False)
    tables = {t["name"]: t["digest"] for t in demo.info()["tables"]}
    assert {t["name"]: t["digest"] for t in run.info()["tables"]} == tables
    again = lshclust.cluster(sample, folder / "same", progress=False)
    assert {t["name"]: t["digest"] for t in again.info()["tables"]} == tables
    with pytest.raises(lshclust.Failed, match="replace"):
        lshclust.cluster(sample, folder / "same", seed=7, progress=False)


def test_settings(sample, folder):
    run = lshclust.cluster(
        [sample],
        folder / "settings",
        progress=False,
        views=["syntactic"],
        resemblance=0.7,
        stem=False,
        max_page="2MiB",
        mime=["text/html", "text/plain"],
        status=None,
        workers=1,
        memory="512MiB",
    )
    config = run.info()["config"]
    got = {k: config[k] for k in ("views", "resemblance", "stem", "max_page", "mime", "status")}
    assert got == {
        "views": ["syntactic"],
        "resemblance": 0.7,
        "stem": False,
        "max_page": 2 << 20,
        "mime": ["text/html", "text/plain"],
        "status": None,
    }


def test_times(folder):
    """The setting from is named from_, because from is a word of Python."""
    pages = folder / "times.jsonl"
    rows = [
        {"url": f"https://{y}.example/", "time": f"{y}-01-02T03:04:05Z", "text": f"the page of {y}"}
        for y in range(2019, 2024)
    ]
    pages.write_text("".join(json.dumps(row) + "\n" for row in rows))
    run = lshclust.cluster(pages, folder / "times", progress=False, from_="2020", to="2021")
    assert sorted(run.pages(["url"])["url"].to_pylist()) == ["https://2020.example", "https://2021.example"]


def test_defaults(demo):
    """What settings() lists is what a run without settings has."""
    config = demo.info()["config"]
    for setting in lshclust.settings():
        assert config.get(setting["name"]) in (setting["default"], None), setting["name"]
        if setting["default"]:
            assert config[setting["name"]] == setting["default"]
    names = {o["name"] for o in lshclust.options()}
    assert names == {"memory", "disk", "workers", "config", "replace"}


def test_keywords():
    """The keywords that editors know are the settings of the command."""
    here = Path(__file__).resolve().parents[1]
    made = subprocess.run([sys.executable, here / "keywords.py"], capture_output=True, text=True, check=True).stdout
    assert (here / "src/lshclust/_keywords.py").read_text() == made, "run keywords.py"
    keywords = {name.removesuffix("_") for name in Settings.__annotations__}
    assert keywords == {p["name"] for p in lshclust.settings() + lshclust.options()}


def test_wrong_settings(sample, folder):
    out = folder / "wrong"
    with pytest.raises(TypeError, match=r"no setting 'widow'; is it window or width\?"):
        lshclust.cluster(sample, out, widow=3)
    for settings, message in [
        ({"window": -3}, "--set window=-3: must be 0 to 1000"),
        ({"window": "wide"}, "--set window=wide: must be a whole number"),
        ({"views": []}, "--views"),
        ({"preset": "web2.0"}, 'preset "web2.0" is not one of'),
    ]:
        with pytest.raises(lshclust.UsageError) as wrong:
            lshclust.cluster(sample, out, progress=False, **settings)
        assert message in str(wrong.value) and wrong.value.exit_code == 2
    assert not out.exists()


def test_errors(demo, sample, folder):
    """Each exit code is an exception with the message of the command."""
    with pytest.raises(lshclust.UsageError, match="no such file or folder"):
        lshclust.cluster(folder / "missing.warc.gz", folder / "x", progress=False)
    with pytest.raises(lshclust.Refused):
        lshclust.cluster(sample, folder / "small", progress=False, disk="1MiB")
    with pytest.raises(lshclust.Failed, match="nope.example") as unknown:
        demo.related(["postgresql.org/docs/15/gin.html", "nope.example"], limit=2)
    assert unknown.value.answer.num_rows == 2
    with pytest.raises(lshclust.Failed, match="not finished|no run|not a run"):
        lshclust.open(folder)
    damaged = folder / "damaged"
    shutil.copytree(demo.path, damaged)
    table = bytearray((damaged / "documents.lsh").read_bytes())
    table[len(table) // 2] ^= 1
    (damaged / "documents.lsh").write_bytes(table)
    with pytest.raises(lshclust.Failed, match="the run is damaged") as found:
        lshclust.open(damaged).check()
    assert "documents.lsh" in found.value.answer


def test_skipped_input(folder):
    """Damaged input is a warning, or an exception on demand. The run holds the rest."""
    pages = folder / "bad.jsonl"
    pages.write_text('{"url": "https://a.example/", "html": "<p>one"}\n{"url": \n')
    with pytest.warns(lshclust.SkippedInput, match="bad-json"):
        run = lshclust.cluster(pages, folder / "skipped", progress=False)
    assert run.info()["counts"]["pages"] == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error", lshclust.SkippedInput)
        with pytest.raises(lshclust.SkippedInput) as skipped:
            lshclust.cluster(pages, folder / "refused", progress=False)
    assert skipped.value.exit_code == 3
    lshclust.open(folder / "refused")


def test_progress(sample, folder, capsys):
    """Progress comes as events, or as bars on standard error."""
    events = []
    run = lshclust.cluster(sample, folder / "events", progress=events.append, views="syntactic")
    assert [e["stage"] for e in events if e["event"] == "done"] == [s["name"] for s in run.info()["stages"]]
    assert capsys.readouterr().err == ""
    lshclust.cluster(sample, folder / "bars", views="syntactic")
    bars = capsys.readouterr().err
    assert "read: 100%" in bars and "publish: 100%" in bars

    def broken(event):
        raise ValueError("no bars today")

    with pytest.raises(ValueError, match="no bars today"):
        lshclust.cluster(sample, folder / "broken", progress=broken)


def test_interrupt(demo, sample, folder):
    """An interrupt saves the state; the same call continues and makes the same tables."""
    out, resumed = folder / "interrupted", []

    def stop(event):
        if event["event"] == "done" and event["stage"] == "group":
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for jobs in the background
    try:
        with pytest.raises(KeyboardInterrupt, match="finished stages are saved, and the same command continues"):
            lshclust.cluster(sample, out, progress=stop)
    finally:
        signal.signal(signal.SIGINT, before)
    with pytest.raises(lshclust.Failed, match="not finished"):
        lshclust.open(out)
    run = lshclust.cluster(sample, out, progress=resumed.append)
    assert {"event": "resumed", "stage": "read"} in resumed
    assert {t["digest"] for t in run.info()["tables"]} == {t["digest"] for t in demo.info()["tables"]}


def test_terminated(sample, folder, monkeypatch):
    """Something else stops the command."""
    children, start = [], subprocess.Popen

    def started(*arguments, **options):
        children.append(start(*arguments, **options))
        return children[-1]

    def stop(event):
        if event["event"] == "done" and event["stage"] == "read":
            children[-1].terminate()

    monkeypatch.setattr(subprocess, "Popen", started)
    with pytest.raises(lshclust.Interrupted, match="interrupted; finished stages are saved") as stopped:
        lshclust.cluster(sample, folder / "terminated", progress=stop)
    assert stopped.value.exit_code == 130


def test_command(demo):
    """The wheel installs the command itself."""
    command = Path(sys.executable).parent / "lshclust"
    assert command.samefile(lshclust.binary())
    shown = subprocess.run([command, "info", "--format=json", demo.path], capture_output=True, check=True).stdout
    assert json.loads(shown) == demo.info()
