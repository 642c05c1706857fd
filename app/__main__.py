"""The old entry point of version 0.6; the command is now `regard`."""

import sys

from regard.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
