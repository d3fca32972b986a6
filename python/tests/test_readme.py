"""The code of README.md runs. Only the crawl and the URLs differ."""

import re
from pathlib import Path

from conftest import GIN, GIST

READMES = [Path(__file__).resolve().parents[n] / "README.md" for n in (1, 2)]


def test_readmes(sample, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("crawl.warc.gz", "old.warc.gz", "new.warc.gz"):
        Path(name).write_bytes(sample.read_bytes())
    blocks = [b for readme in READMES for b in re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)]
    assert len(blocks) == 4
    known = {}
    for n, block in enumerate(blocks):
        for shown, url in [
            ("https://www.sqlite.org/", GIN),
            ("a.example/x", GIN),
            ("b.example/y", GIST),
            ("crawl.run", f"{n}.run"),
        ]:
            block = block.replace(f'"{shown}"', f'"{url}"')
        exec(block, known)
    assert known["run"].related(GIN).num_rows == 10
    assert "read: 100%" in capsys.readouterr().err
