"""Runs that the tests share, and the command to compare with."""

import json
import subprocess

import pytest

import lshclust

GIN = "https://postgresql.org/docs/15/gin.html"
GIST = "https://postgresql.org/docs/15/gist.html"


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="session")
def demo(folder):
    """The run of the sample."""
    return lshclust.demo(folder / "demo")


@pytest.fixture(scope="session")
def sample(folder, demo):
    """The pages of the sample."""
    return folder / "demo-pages.jsonl.zst"


def answer(*arguments, stdin=None):
    """Return the rows that the command prints."""
    ran = subprocess.run(
        [lshclust.binary(), *map(str, arguments)], input=stdin, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]
