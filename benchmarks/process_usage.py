"""Processor time and resident memory of a process, from Linux's /proc (proc(5))."""

import os
import platform
from pathlib import Path


def processor_seconds(process: int) -> float:
    """Return the CPU seconds of a process."""
    numbers = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(process: int) -> float:
    """Return the memory a process holds now."""
    return _memory(process, "VmRSS:")


def peak_megabytes(process: int) -> float:
    """Return the peak memory of a process."""
    return _memory(process, "VmHWM:")


def spent(process: int | None) -> tuple[float, float]:
    """Return CPU seconds and resident megabytes of a process and its descendants; zeros if they cannot be read."""
    if process is None or platform.system() != "Linux":
        return 0.0, 0.0
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        except OSError:  # the process has just ended
            continue
        parents[int(folder.name)] = int(fields[1]), (int(fields[11]) + int(fields[12])), int(fields[21])
    family, grown = {process}, True
    while grown:
        more = {child for child, (parent, _, _) in parents.items() if parent in family} - family
        family, grown = family | more, bool(more)
    ours = [parents[one] for one in family if one in parents]
    ticks, pages = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    return sum(one[1] for one in ours) / ticks, sum(one[2] for one in ours) * pages / 2**20


def _memory(process: int, entry: str) -> float:
    """Return the megabytes of one entry of the process's status."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(entry))
