"""Inputs named by URLs, which pyarrow.fs opens."""

from __future__ import annotations

import os
import shutil


def is_url(path: str) -> bool:
    """Report whether a path is a URL, which pyarrow.fs opens, rather than the path of a local file."""
    return "://" in path and not path.startswith("file://")


def copied(url: str, folder: str) -> list[str]:
    """Copy the file or the files of the folder at a URL, unless they are there, and return the paths of the copies.

    They are sorted by name.
    """
    from pyarrow.fs import FileSelector, FileSystem, FileType

    scheme, rest = url.split("://", 1)
    scheme = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}.get(scheme, scheme)
    files, path = FileSystem.from_uri(f"{scheme}://{rest}")
    kind = files.get_file_info(path).type
    if kind == FileType.NotFound:
        raise FileNotFoundError(f"{url}: no such file or folder")
    names = [path]
    if kind == FileType.Directory:
        found = files.get_file_info(FileSelector(path, recursive=True))
        names = sorted(f.path for f in found if f.type == FileType.File)
    paths = []
    for name in names:
        copy = os.path.join(folder, scheme, name.lstrip("/"))
        if not os.path.exists(copy):
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with files.open_input_stream(name) as source, open(copy + ".part", "wb") as target:
                shutil.copyfileobj(source, target, 4 << 20)
            os.replace(copy + ".part", copy)
        paths.append(copy)
    return paths
