"""Error boundary: an exception becomes a plain message on the page that it belongs to, and one line of the log.

A visitor who sends what no page of ours sends breaks a page of his own. Tracebacks are for whoever works on the
program: `--logger.level=debug` logs them.
"""

import logging
import traceback
from typing import Any

import streamlit as st

MESSAGE = "This could not be shown, because of an error in the page or a value that it cannot have. Reload the page."
LONGEST = 300  # characters of an error in the log

_record = logging.LogRecord


def show(error: Exception) -> bool:
    """Show the visitor a plain message in place of Streamlit's; the log has the rest."""
    st.error(MESSAGE, icon=":material/error:")
    return True


def one_line(error: BaseException) -> str:
    """Return an exception's type, text and place on one line of printable characters."""
    frames = traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in reversed(frames) if "site-packages" not in frame.filename), None)
    where = f" ({place.filename}, line {place.lineno})" if place else ""
    text = "".join(letter if letter.isprintable() else " " for letter in str(error)[:LONGEST])
    return f"{type(error).__name__}: {text}{where}"


def log_one_line_per_error() -> None:
    """Have every logger write an exception in one line, unless it logs for debugging."""
    logging.setLogRecordFactory(_made)


def _made(*arguments: Any, **more: Any) -> logging.LogRecord:
    record = _record(*arguments, **more)
    if record.exc_info and record.exc_info[1] and st.get_option("logger.level") != "debug":
        record.msg, record.args = f"{record.getMessage().strip()}: {one_line(record.exc_info[1])}", ()
        record.exc_info = None
    return record
