"""Page of results: medians with the smallest and the largest value, never a single run."""

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.metadata import version
from pathlib import Path
from statistics import median


@dataclass(frozen=True)
class Table:
    """One measurement; `how` describes it in a sentence or two."""

    title: str
    how: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        lines = [self.header, ("---",) + ("---:",) * (len(self.header) - 1), *self.rows]
        table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        return f"## {self.title}\n\n{self.how}\n\n{table}\n"


def spread(values: Sequence[float], digits: int = 1) -> str:
    """Return the median, the smallest and the largest value as text: 12.3 (11.9 to 14.0)."""
    return f"{median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def machine() -> str:
    """Describe the machine without its name or owner."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("torch", "numpy", "streamlit"))
    load = f" Load average before: {os.getloadavg()[0]:.1f}." if hasattr(os, "getloadavg") else ""
    return (
        f"{platform.system()}, {os.cpu_count()} cores ({_processor()}), Python {platform.python_version()}, {packages}."
        f" Measured on {date.today().isoformat()}.{load}"
    )


def page(conditions: str, tables: Sequence[Table]) -> str:
    head = "`make bench` wrote this page. Values are medians, with the smallest and the largest in brackets."
    return "\n".join(["# Benchmarks", "", head, "", conditions, "", *(table.markdown() for table in tables)])


def put(written: str, tables: Sequence[Table], conditions: str) -> str:
    """Return the page with these tables in place of those of the same title, or at its end, with their conditions."""
    head, *sections = re.split(r"^(?=## )", written, flags=re.MULTILINE)
    kept = {section.partition("\n")[0]: section.rstrip("\n") + "\n" for section in sections}
    for table in tables:
        own = replace(table, how=f"{table.how} Measured apart: {conditions}")
        kept[f"## {table.title}"] = own.markdown()
    return head + "\n".join(kept.values())


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if described.is_file():
        for line in described.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":")[1].strip()
    return platform.processor() or platform.machine()
