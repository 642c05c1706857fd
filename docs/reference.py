"""The API reference as HTML, from the docstrings of what is public: `python -m docs.reference FOLDER` writes it."""

import sys
from pathlib import Path

import pdoc

import regard

MODULES = (
    "regard", "regard.model.trace", "regard.model.changes.intervention",
    "regard.model.transformer.trace",
)  # fmt: skip


def main(folder: Path) -> None:
    for name in regard.__all__:  # pdoc documents what is loaded
        setattr(regard, name, getattr(regard, name))
    pdoc.render.configure(docformat="google")
    pdoc.pdoc(*MODULES, output_directory=folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
