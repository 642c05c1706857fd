"""Ports to listen on: read from the command line, and checked before anything starts."""

import argparse
import ctypes
import errno
import os
import signal
import socket
import sys

LAST_PORT = 65_535


def valid_port(text: str) -> int:
    """Read a port of the command line; argparse prints the error in one line."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= LAST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; it must be from 1 to {LAST_PORT:,}")
    return int(text)


def is_free(address: str, number: int) -> bool:
    """Return True if this process may listen there. Exits with one line if no process of this machine could."""
    try:
        with socket.create_server((address, number), family=socket.AF_INET6 if ":" in address else socket.AF_INET):
            return True
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            sys.exit(f"regard: cannot serve on {address}: {error.strerror}")
        return False


def check_free(address: str, number: int) -> None:
    """Check the port. Exits with one line if another process listens there, or this one may not."""
    if not is_free(address, number):
        sys.exit(f"regard: port {number} of {address} is in use, or not yours to take; name another with --port")


PR_SET_PDEATHSIG = 1


def end_with(parent: int, number: int = signal.SIGKILL) -> None:
    """Have this process receive a signal when its parent ends (on Linux), or end at once if it has ended."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)
    if os.getppid() != parent:
        os._exit(1)  # the parent ended before that took effect
