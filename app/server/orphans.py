"""No orphans: a child process that ends with its parent, also if that is killed."""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with(parent: int, number: int = signal.SIGKILL) -> None:
    """Have this process receive a signal when its parent ends (on Linux), or end at once if it has ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before that took effect
