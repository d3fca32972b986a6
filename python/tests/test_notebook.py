"""The notebook runs from its first cell to its last, and shows what it says."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    assert all(not c.get("outputs") for c in notebook.cells), "kept without outputs"
    NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    shown = [(c.source, o) for c in notebook.cells if c.cell_type == "code" for o in c.outputs]
    data = {source: o.data for source, o in shown if "data" in o}
    assert sum("<table" in d.get("text/html", "") for d in data.values()) == 2
    assert sum("image/png" in d for d in data.values()) == 1
    assert any("1144 pages" in d["text/plain"] for d in data.values())
    printed = "".join(o.text for _, o in shown if o.output_type == "stream" and o.name == "stdout")
    assert printed.startswith("similarity 0.") and "…" in printed
    progress = "".join(o.text for _, o in shown if o.output_type == "stream" and o.name == "stderr")
    assert "publish: 100%" in progress and "Warning" not in progress
