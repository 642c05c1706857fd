"""Calling `regard` from a test, in this process."""

import io
import sys
from collections.abc import Callable

import pytest

from regard.__main__ import main


def call(*arguments: str, stdin: bytes = b"", program: Callable[[], int] = main) -> tuple[int, bytes, str]:
    """Run a command of a program in this process: exit status, standard output, standard error."""
    streams = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["regard", *arguments])
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        try:
            status = program()
        except SystemExit as exit_:
            status = int(exit_.code or 0)
    streams[0].flush()
    return status, streams[0].buffer.getvalue(), streams[1].getvalue()  # type: ignore[attr-defined]
