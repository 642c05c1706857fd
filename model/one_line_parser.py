"""A parser of the command line whose errors are one line."""

import argparse
from typing import NoReturn


class OneLineParser(argparse.ArgumentParser):
    """`ArgumentParser` that answers a wrong command with one line, without repeating all options."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message} (--help tells more)\n")
