"""Quick tests: those nearest to what was changed, by imports, for as long as there is time; `make quick` runs them.

A test of the same name comes first, then tests that import what was changed, then tests of its importers, and so on.
Scripts, styles and data count as changes of all modules beside them, and of browser tests that name their folder.
"""

import argparse
import ast
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FARTHEST = 3  # imports between a test and a change


class Deadline:
    """A pytest plugin that leaves out, and counts, the tests that have not begun so many seconds after the first."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._begun, self._left = seconds, 0.0, 0

    def pytest_runtest_protocol(self) -> bool | None:
        self._begun = self._begun or time.monotonic()
        late = time.monotonic() > self._begun + self._seconds
        self._left += late
        return late or None

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._left:
            terminalreporter.write_line(f"no time was left for {self._left} tests; make test runs everything")


def changed_since(commit: str) -> list[str]:
    """Files of this tree that differ from a commit, untracked ones too."""
    commands = (["diff", "--name-only", "--diff-filter=d", commit], ["ls-files", "--others", "--exclude-standard"])
    texts = [
        subprocess.run(["git", *one], cwd=ROOT, capture_output=True, text=True, check=True).stdout for one in commands
    ]
    return sorted({name for text in texts for name in text.splitlines()})


def importers() -> dict[str, set[str]]:
    """Files that import each module, by its file."""
    files = {
        path.relative_to(ROOT).as_posix()
        for top in ("app", "benchmarks", "model", "regard", "tests")
        for path in (ROOT / top).rglob("*.py")
    }
    found: dict[str, set[str]] = defaultdict(set)
    for name in files:
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                module = node.module.removeprefix("regard.").replace(".", "/")
                for one in (module, *(f"{module}/{part.name}" for part in node.names)):
                    found[f"{one}.py"].add(name)
    return found


def modules_of(change: str) -> set[str]:
    """A Python file itself; of another file the modules beside it, and browser tests that name its folder."""
    path = Path(change)
    if path.suffix == ".py":
        return {change}
    beside = {
        one.relative_to(ROOT).as_posix() for one in (ROOT / path.parent).glob("*.py") if one.name != "__init__.py"
    }
    browser = {
        one.relative_to(ROOT).as_posix()
        for one in (ROOT / "tests/browser").glob("test_*.py")
        if path.parent.name in one.stem
    }
    return (beside | browser) if path.parent.name else set()


def nearest(changes: Iterable[str], importing: Mapping[str, set[str]]) -> list[str]:
    """Test files by their distance from what was changed, browser tests last."""
    modules = {module for change in changes for module in modules_of(change)}
    twins = {f"tests/{Path(module).with_name('test_' + Path(module).name).as_posix()}" for module in modules}
    reached, distance = {}, dict.fromkeys(sorted(modules), 0)
    for far in range(FARTHEST + 1):
        for module in distance:
            reached.setdefault(module, far)
        distance = dict.fromkeys(
            sorted({each for module in distance for each in importing.get(module, ())} - reached.keys()), 0
        )
    far = {name: 0 for name in sorted(twins) if (ROOT / name).exists()} | {
        name: 1 + steps for name, steps in reached.items() if Path(name).name.startswith("test_") and name not in twins
    }
    return sorted(far, key=lambda name: ("browser" in name, far[name], name))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--since", default="HEAD", metavar="COMMIT", help="what was changed since then (HEAD)")
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help="no test begins later (60)")
    arguments = parser.parse_args()
    files = nearest(changed_since(arguments.since), importers())
    print(f"{len(files)} test files are near to what was changed since {arguments.since}: {' '.join(files[:8])} ...")
    sys.exit(pytest.main(["-q", "-x", *files[:25]], plugins=[Deadline(arguments.seconds)]) if files else 0)
