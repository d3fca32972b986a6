"""Folders that the driver and the workers share: local ones, and those that pyarrow.fs opens by a URL."""

from __future__ import annotations

import hashlib
import os
import posixpath
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyarrow.fs import FileSystem

_CHUNK = 4 << 20


def is_url(path: str) -> bool:
    """Report whether a path is a URL, which pyarrow.fs opens, rather than the path of a local file."""
    return "://" in path and not path.startswith("file://")


def opened(url: str) -> tuple[FileSystem, str]:
    """Return the file system of a URL and the path in it."""
    from pyarrow.fs import FileSystem

    scheme, rest = url.split("://", 1)
    scheme = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}.get(scheme, scheme)
    files: tuple[FileSystem, str] = FileSystem.from_uri(f"{scheme}://{rest}")
    return files


def below(url: str, *names: str) -> str:
    """Return the URL of what is below the folder of a URL, whose query stays at the end."""
    path, mark, query = url.partition("?")
    return posixpath.join(path, *names) + mark + query


def expand(url: str) -> list[str]:
    """Return the URLs of the files of a folder in the order of their names, or the URL itself if it is a file."""
    from pyarrow.fs import FileSelector, FileType

    files, path = opened(url)
    kind = files.get_file_info(path).type
    if kind == FileType.NotFound:
        raise FileNotFoundError(f"{url}: no such file or folder")
    if kind == FileType.File:
        return [url]
    found = files.get_file_info(FileSelector(path, recursive=True))
    names = sorted(f.path[len(path) :].lstrip("/") for f in found if f.type == FileType.File)
    return [below(url, name) for name in names]


def put(local: str, url: str) -> dict[str, Any]:
    """Copy a local file to a URL, and return the URL with the size and the checksum by which get verifies it."""
    files, path = opened(url)
    files.create_dir(posixpath.dirname(path), recursive=True)
    size, digest = 0, hashlib.sha256()
    with open(local, "rb") as source, files.open_output_stream(path) as target:
        for block in _blocks(source):
            size += len(block)
            digest.update(block)
            target.write(block)
    return {"url": url, "bytes": size, "sha256": digest.hexdigest()}


def get(url: str, local: str, size: int | None = None, sha256: str | None = None) -> None:
    """Copy what is at a URL to a local file, which has its name only when it is complete and verified."""
    files, path = opened(url)
    os.makedirs(os.path.dirname(local), exist_ok=True)
    part = f"{local}.{os.getpid()}.part"
    got, digest = 0, hashlib.sha256()
    try:
        with files.open_input_stream(path) as source, open(part, "wb") as target:
            for block in _blocks(source):
                got += len(block)
                digest.update(block)
                target.write(block)
        if size not in (None, got) or sha256 not in (None, digest.hexdigest()):
            raise OSError(f"{url}: {got} bytes that are not those that were put there")
        os.replace(part, local)
    finally:
        if os.path.exists(part):
            os.unlink(part)


def link(source: str, target: str) -> None:
    """Give a file a second name, or copy it where that is not possible."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    try:
        os.link(source, target)
    except FileExistsError:
        pass
    except OSError:
        shutil.copyfile(source, target)


def remove(url: str) -> None:
    """Remove a folder with everything in it, if it is there."""
    if not is_url(url):
        shutil.rmtree(url, ignore_errors=True)
        return
    from pyarrow.fs import FileType

    files, path = opened(url)
    if files.get_file_info(path).type == FileType.Directory:
        files.delete_dir(path)


def _blocks(source: Any) -> Iterator[bytes]:
    while block := source.read(_CHUNK):
        yield block
