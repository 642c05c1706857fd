"""The standing attack told by kind, on this tree or an earlier one: how much was sent, and what of it failed.

    python -m tests.support.attack_report --tree ../regard-0.5

Each message has many values; one that fails hides what the others in it would have done.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from benchmarks.server import ROOT, serve
from benchmarks.websocket_visitor import WebsocketVisitor
from regard.app.models.settings import MODELS_SETTING
from regard.model.data.corpus import Pair
from regard.model.tokenizer import train_tokenizer
from tests.support.attack import Attack, tracebacks
from tests.support.small_texts import PAIRS
from tests.support.small_translator import write_translator

ROUNDS = 4  # links of each screen, and samples of the values for its fields and its components
SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.attack_report", description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, metavar="DIR", help="a checkout (default: this one)")
    tree = parser.parse_args().tree.absolute()
    with tempfile.TemporaryDirectory() as folder:
        pairs = [Pair(*pair) for pair in PAIRS * 4]
        sides = [("en", [pair.source for pair in pairs]), ("fr", [pair.target for pair in pairs])]
        write_translator(Path(folder) / "tiny", train_tokenizer(sides, ("en", "fr"), 340))
        with serve(folder=tree, environment=[(MODELS_SETTING, folder), ("PYTHONPATH", str(tree))]) as served:
            with Attack(served.url, served.process, "tiny", random.Random(SEED)) as attack:
                _attack(attack)
            _tell(attack, tracebacks(served.log))


def _attack(attack: Attack) -> None:
    """Every screen that the server says it has; one that does not answer is told and left."""
    for screen in _screens(attack.url):
        try:
            attack.open(screen)
            attack.screen(screen, ROUNDS, ROUNDS)
        except TimeoutError:
            attack.failed.append(f"{screen}: no answer")
        print(screen or "the first", dict(attack.sent), len(attack.failed), file=sys.stderr, flush=True)
    attack.protocol()


def _screens(url: str) -> list[str]:
    with WebsocketVisitor(url) as visitor:
        said = [
            message.navigation for message in visitor.run("").messages if message.WhichOneof("type") == "navigation"
        ]
    return list(dict.fromkeys("" if page.is_default else page.url_pathname for page in said[0].app_pages))


def _tell(attack: Attack, ended: list[str]) -> None:
    failed = Counter(each.partition(" of ")[0] for each in attack.failed)
    print("| kind | values | reached | messages | broke the sender's page | failed |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for kind in attack.tried:
        print(
            f"| {kind} | {attack.tried[kind]:,} | {attack.reached[kind]:,} | {attack.sent[kind]:,} "
            f"| {attack.broken[kind]:,} | {failed.pop(kind, 0)} |"
        )
    print(f"\nothers that failed: {dict(failed)}; dearest answer: {attack.dearest[0][0]:.1f} s of the processor")
    print(f"tracebacks in the log: {len(ended)}")
    for text, count in Counter(line[:100] for line in ended).most_common():
        print(f"{count:>6}  {text}")


if __name__ == "__main__":
    main()
