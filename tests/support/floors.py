"""Lowest versions: the pins with what the package depends on at the lowest versions that it accepts.

`make oldest` installs what this prints. Transformers is left out, because it needs newer tokenizers.
"""

import re
import tomllib

from benchmarks.server import ROOT


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["train"]]
    lowest = dict(re.findall(r"^([\w-]+)>=([\w.]+)", "\n".join(asked), re.MULTILINE))
    pins = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("requirements.txt", "requirements-test.txt"))
    for line in pins.splitlines():
        name = line.partition("==")[0]
        if name != "transformers":
            print(f"{name}=={lowest[name]}" if name in lowest else line)


if __name__ == "__main__":
    main()
