"""Run the commands under the name they had in version 0.6; today the command is `regard`."""

import sys

from regard.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
