"""`make bench`: measure everything and write benchmarks/RESULTS.md. `python -m benchmarks load`: many visitors."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import torch

from benchmarks import (
    beam,
    bombs,
    classroom,
    floods,
    imported,
    layout_shift,
    memory,
    neighbour,
    offline_page,
    page,
    report,
    screens,
    tokens,
    training,
    translation,
)
from benchmarks import load as load_test
from regard.model.checkpoint import Pretrained, load, shipped
from regard.model.transformer.checkpoint import load_transformer


def main() -> None:
    if sys.argv[1:2] in (["load"], ["classroom"]):
        (load_test if sys.argv[1] == "load" else classroom).main(sys.argv[2:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--model", type=Path, default=shipped(), metavar="DIR")
    parser.add_argument("--transformer", type=Path, default=shipped("en-fr-transformer"), metavar="DIR")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("RESULTS.md"), metavar="FILE")
    parser.add_argument("--table", type=Path, metavar="FILE", help="source TAB target lines, for the tokens")
    parser.add_argument("--only", nargs="+", metavar="TASK", help="measure these anew and leave the rest of the page")
    arguments = parser.parse_args()
    conditions = report.machine()
    torch.set_num_threads(1)
    model = load(arguments.model)
    tasks = tasks_of(model, arguments)
    tables: list[report.Table] = []
    if unknown := {*(arguments.only or ())} - tasks.keys():
        parser.error(f"there is no task {', '.join(sorted(unknown))}; there are {', '.join(tasks)}")
    if not arguments.table:
        tasks.pop("tokens")
    for name, task in tasks.items():
        if arguments.only and name not in arguments.only:
            continue
        print(f"{name} ...", file=sys.stderr, flush=True)
        tables += task()
    described = f"Model: {model.name} ({model.fingerprint[:12]})."
    written = report.page(f"{conditions} {described}", tables)
    if arguments.only:
        written = report.put(arguments.out.read_text(encoding="utf-8"), tables, f"{conditions} {described}")
    arguments.out.write_text(written, encoding="utf-8")
    print(arguments.out.read_text(encoding="utf-8"))


def tasks_of(model: Pretrained, arguments: argparse.Namespace) -> dict[str, Callable[[], list[report.Table]]]:
    """Return the measurements, by name."""
    return {
        "translating": lambda: [translation.measure(model)],
        "a Transformer": lambda: [translation.measure_transformer(load_transformer(arguments.transformer), model)],
        "searching": lambda: [beam.measure(model)],
        "training": lambda: [training.measure(model)],
        "in the browser": page.measure,
        "one file": lambda: offline_page.measure(model),
        "imported attention": imported.measure,
        "tokens": lambda: tokens.measure(model, arguments.table),
        "beside a training": neighbour.measure,
        "many visitors": load_test.rounds_of_one_server,
        "screens": screens.measure,
        "what moves": layout_shift.measure,
        "all models in turn": memory.measure,
        "a class": classroom.tables,
        "floods": floods.measure,
        "bombs": bombs.measure,
    }


if __name__ == "__main__":
    main()
