"""The commands under a name of version 0.6; `regard` is their name now."""

import sys

from regard.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
