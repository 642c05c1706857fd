"""`python -m model train | translate | align | evaluate`"""

import argparse
import sys

from model.commands import train

COMMANDS = {"train": train}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m model", description=__doc__)
    chosen = parser.add_subparsers(dest="command", required=True)
    for name, command in COMMANDS.items():
        command.add_arguments(chosen.add_parser(name, help=command.HELP, description=command.HELP))
    arguments = parser.parse_args()
    try:
        COMMANDS[arguments.command].run(arguments)
    except (ValueError, OSError) as error:
        print(f"{parser.prog} {arguments.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
