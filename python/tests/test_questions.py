"""Every question has the answer of the command."""

import json
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet
import pytest
from conftest import GIN, GIST, answer

import lshclust

DBLINK = "https://postgresql.org/docs/15/contrib-dblink-build-sql-insert.html"


@pytest.mark.parametrize(
    ("ask", "arguments"),
    [
        (lambda r: r.related(GIN), ["related", GIN]),
        (lambda r: r.related(GIN, limit=3), ["related", GIN, "--limit=3"]),
        (lambda r: r.related(GIN, limit=50, apart=True), ["related", GIN, "--limit=50", "--apart"]),
        (lambda r: r.related(GIN, exact=True), ["related", GIN, "--exact"]),
        (lambda r: r.related([GIN, GIST], limit=4), ["related", GIN, GIST, "--limit=4"]),
        (lambda r: r.search("backup restore", limit=7), ["related", "--words=backup restore", "--limit=7"]),
        (lambda r: r.duplicates(DBLINK), ["duplicates", DBLINK]),
        (lambda r: r.duplicates([DBLINK, GIN]), ["duplicates", DBLINK, GIN]),
        (lambda r: r.query(GIN, min=0.001), ["query", GIN, "--min=0.001"]),
        (lambda r: r.clusters(), ["clusters"]),
        (lambda r: r.clusters(limit=5, sort="hosts"), ["clusters", "--limit=5", "--sort=hosts"]),
        (lambda r: r.clusters("syntactic"), ["clusters", "--view=syntactic"]),
        (lambda r: r.clusters(contains=GIN), ["clusters", f"--contains={GIN}"]),
        (lambda r: r.clusters("syntactic", contains=GIN), ["clusters", "--view=syntactic", f"--contains={GIN}"]),
    ],
)
def test_answers(demo, ask, arguments):
    verb, *rest = arguments
    want = answer(verb, "--format=jsonl", demo.path, *rest)
    got = ask(demo)
    assert given(got) == want
    assert want, "nothing is compared"


def given(table):
    """Return the rows without what is missing in them."""
    return [{k: v for k, v in row.items() if v is not None} for row in table.to_pylist()]


def test_query_of_text(demo, tmp_path):
    file = tmp_path / "draft.txt"
    file.write_text(
        "GIN stands for Generalized Inverted Index. GIN is designed for handling cases where the items to be indexed "
        "are composite values, and the queries to be handled by the index need to search for element values"
    )
    rows = demo.query(text=file.read_text(), min=0).to_pylist()
    assert rows and rows[0]["url"].endswith("gin-intro.html")
    assert [r | {"of": str(file)} for r in rows] == demo.query(file, min=0).to_pylist()
    with pytest.raises(TypeError, match="one of document and text"):
        demo.query()


@pytest.mark.skipif(sys.platform == "win32", reason="the command is replaced by a script")
@pytest.mark.parametrize(
    ("end", "message"),
    [("echo 'lshclust: the disk is broken' >&2; exit 1", "the disk is broken"), ("kill -9 $$", "killed by signal 9")],
)
@pytest.mark.parametrize("cut", [0, 9, 1000])
def test_command_fails(demo, tmp_path, monkeypatch, cut, end, message):
    """The error is that of the command also if it ends in the middle of a row. The rows before it are its answer."""
    rows = answer("related", "--format=jsonl", demo.path, GIN)
    printed = "".join(f"{json.dumps(row)}\n" for row in rows).encode()[:cut]
    (tmp_path / "printed").write_bytes(printed)
    command = tmp_path / "command"
    command.write_text(f"#!/bin/sh\ncat '{tmp_path}/printed'\n{end}\n")
    command.chmod(0o755)
    monkeypatch.setattr(lshclust._command, "binary", lambda: str(command))
    with pytest.raises(lshclust.Error, match=message) as failed:
        demo.related(GIN)
    whole = printed.count(b"\n")
    assert failed.value.answer.select(list(rows[0])).to_pylist() == rows[:whole]
    assert whole or cut < 1000, "no row was printed"


def test_no_rows(demo):
    """A table without rows has the columns of one with rows."""
    assert demo.related([]).schema == demo.related(GIN).schema
    assert demo.related(GIN, limit=1000, exact=True, apart=True).schema == demo.related(GIN).schema
    none = demo.query(text="no words that any page would have", min=1)
    assert none.num_rows == 0 and none.schema == demo.query(GIN).schema


def test_sketches(sample, folder):
    """A run that keeps sketches has further columns."""
    run = lshclust.cluster(
        sample,
        folder / "sketches",
        progress=False,
        views="syntactic",
        sketch="mod",
        modulus=5,
        resemblance=0.2,
    )
    url = run.pairs("syntactic")["url_a"][0].as_py()
    rows = given(run.duplicates(url))
    assert rows == answer("duplicates", "--format=jsonl", run.path, url)
    assert {"estimated", "std_error"} <= rows[0].keys()


def test_explain(demo):
    why = demo.explain(GIN, GIST)
    assert why["similarity"] == why["sum_min"] / why["sum_max"]
    found = {r["url"]: r["similarity"] for r in demo.related(GIN, exact=True, limit=100).to_pylist()}
    assert why["similarity"] == pytest.approx(found[GIST], abs=1e-6)


def test_tables(demo):
    """Tables are those of the run, and pandas, polars and DuckDB take them."""
    for name in demo.tables():
        assert demo.table(name).equals(pyarrow.parquet.read_table(demo.path / f"{name}.parquet"))
    assert demo.pages(["url"]).schema.names == ["url"]
    assert demo.pages().num_rows == demo.info()["counts"]["documents"]
    assert demo.pairs("syntactic").schema.names[-1] == "relation"
    assert demo.pairs().num_rows == demo.info()["counts"]["topical_pairs"]
    assert demo.pairs(columns=["similarity"]).schema.names == ["similarity"]
    assert demo.members().num_rows == demo.tree().to_pandas().query("level == 0")["size"].sum()
    with pytest.raises(KeyError, match="no table 'page'; it has .*pages"):
        demo.table("page")

    pages = demo.pages()
    assert isinstance(pages.to_pandas(), pandas.DataFrame)
    assert polars.from_arrow(pages).filter(polars.col("crawled")).height == demo.info()["counts"]["pages"]
    lazily = demo.dataset("pages")
    count = "select count(*) from {} where crawled"
    assert duckdb.sql(count.format("pages")).fetchall() == duckdb.sql(count.format("lazily")).fetchall()
    assert lazily.count_rows() == pages.num_rows


def test_check(demo):
    demo.check()
    assert "1144 pages" in repr(demo)
    assert repr(lshclust.open(str(demo.path))) == repr(demo)
