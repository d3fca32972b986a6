"""Progress of a build: the events of ``lshclust cluster --progress json``, shown by tqdm."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

#: A function that is called with every event; docs/format.md of the project describes them.
Listener = Callable[[dict[str, Any]], None]


def listener(progress: bool | Listener) -> tuple[Callable[[bytes], None], Callable[[], None]]:
    """Return a function for each line of the command, and one to call when it has ended."""
    if progress is True:
        bars = Bars()
        return lambda line: bars(json.loads(line)), bars.close
    if progress is False:
        return lambda line: None, lambda: None
    return lambda line: progress(json.loads(line)), lambda: None


class Bars:
    """One bar for each stage, in a notebook or on a terminal."""

    def __init__(self) -> None:
        from tqdm import TqdmWarning

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TqdmWarning)  # without ipywidgets, the bars of a notebook are text
            from tqdm.auto import tqdm
        self._tqdm = tqdm
        self._bar: Any = None

    def __call__(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        if kind == "stage":
            self._fill()
            unit = event.get("unit", "")
            scale = {"unit_scale": True, "unit_divisor": 1024} if unit == "B" else {}
            self._bar = self._tqdm(
                total=event.get("total"),
                desc=event["stage"],
                unit=unit if unit == "B" else f" {unit}",
                file=sys.stderr,
                **scale,
            )
        elif kind == "at" and self._bar is not None:
            self._bar.update(event["done"] - self._bar.n)
        elif kind == "done":
            self._fill()
        elif kind in ("resumed", "damaged"):
            self._tqdm.write(event.get("message") or f"{event['stage']}: done before", file=sys.stderr)

    def _fill(self) -> None:
        """End the bar of a stage or a step that is done."""
        if self._bar is not None and self._bar.total:
            self._bar.update(self._bar.total - self._bar.n)
        self.close()

    def close(self) -> None:
        """Close the bar without filling it."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
