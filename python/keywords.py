"""Prints src/lshclust/_keywords.py, by which editors know the settings of cluster(), from those of the command.

python keywords.py > src/lshclust/_keywords.py
"""

import keyword
import textwrap

import lshclust

TYPES = {
    "string": "str",
    "boolean": "bool",
    "integer": "int",
    "number": "float",
    "size": "int | str",
    "strings": "str | Sequence[str]",
    "numbers": "Sequence[float]",
}


def source() -> str:
    """Return the module as text."""
    lines = [
        '"""The settings of cluster(), for type checkers and editors. keywords.py makes this file."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Sequence",
        "from typing import TypedDict",
        "",
        "",
        "class Settings(TypedDict, total=False):",
        '    """Settings, then options, in the order of ``lshclust cluster --help``."""',
    ]
    for p in lshclust.settings() + lshclust.options():
        default = "" if p["default"] in (None, "", []) else f" (default {p['default']})"
        doc = f'"""{p["doc"][0].upper()}{p["doc"][1:]}{default}."""'.replace("\\", "\\\\")
        name = f"{p['name']}{'_' * keyword.iskeyword(p['name'])}: {TYPES[p['type']]} | None"
        wrapped = textwrap.wrap(doc, 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
        lines += ["", f"    {name}", *wrapped]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(source(), end="")
