"""Files without near-duplicates."""

import json

import pytest

import lshclust


def test_dedup(tmp_path):
    words = " ".join(f"word{i}" for i in range(40))
    lines = [json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate([words, "other", words])]
    (tmp_path / "a.jsonl").write_text("".join(lines))
    report = lshclust.dedup(tmp_path / "a.jsonl", tmp_path / "out", by="id")
    assert (report["total"]["kept"], report["total"]["removed"]) == (2, 1)
    assert (tmp_path / "out" / "a.jsonl").read_text() == "".join(lines[:2])
    removed = json.loads((tmp_path / "out" / "removed.jsonl").read_text())
    assert (removed["id"], removed["kept_id"], removed["relation"]) == ("2", "0", "identical")
    lshclust.dedup(tmp_path / "a.jsonl", tmp_path / "table", parquet=True, ignore_common=True)
    assert (tmp_path / "table" / "removed.parquet").exists()
    with pytest.raises(lshclust.Failed, match="other options"):
        lshclust.dedup(tmp_path / "a.jsonl", tmp_path / "out", near=0.9)
    with pytest.raises(lshclust.UsageError):
        lshclust.dedup(tmp_path / "a.jsonl", tmp_path / "b", near=2)
