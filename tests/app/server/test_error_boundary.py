import logging
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit import error_util

from regard.app.server import error_boundary
from tests.support.attack import tracebacks


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = logging.getLogRecordFactory()
    error_boundary.log_one_line_per_error()
    yield
    logging.setLogRecordFactory(before)


@pytest.mark.parametrize("text", ["a value", "two\nlines\r\x1b[31m in red", "a" * 10_000])
def test_an_exception_is_one_line_of_the_log(text: str, caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise LookupError(text)
    except LookupError:
        logging.getLogger("a server").exception("Exception in %s\n", "an app")
    (record,) = caplog.records
    line = record.getMessage()
    assert line.startswith(f"Exception in an app: LookupError: {text[:3]}")
    assert __file__ in line
    assert line.isprintable()
    assert len(line) < 600
    assert record.exc_info is None


def test_a_traceback_is_counted_whether_plain_or_drawn_in_colours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        raise LookupError("no such value")
    except LookupError as error:
        error_util._print_rich_exception(error)  # what Streamlit logs of an error in a page
        plain = "".join(traceback.format_exception(error))
    coloured = capsys.readouterr().out
    assert "\x1b[" in coloured
    log = tmp_path / "log"
    log.write_text(f"a line\n{coloured}a line\n{plain}a line\n", encoding="utf-8")
    assert tracebacks(log) == ["LookupError: no such value"] * 2
