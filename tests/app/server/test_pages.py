import gzip
import importlib

from starlette.types import Receive, Scope, Send

from regard.app.components.shared import component
from regard.app.components.shared.component import FOLDERS, PLACE
from regard.app.server.pages import KEPT, HashedFiles
from tests.support.event_loop import messages_of, run_coroutine


async def rest(scope: Scope, receive: Receive, send: Send) -> None:
    """The app behind it."""
    await send({"type": "http.response.start", "status": 418, "headers": []})
    await send({"type": "http.response.body", "body": b"the app"})


async def asked(files: HashedFiles, path: str, encoding: str = "gzip, br") -> tuple[int, dict[str, str], bytes]:
    headers = [(b"accept-encoding", encoding.encode())]
    sent = await messages_of(files, {"type": "http", "method": "GET", "path": path, "headers": headers})
    answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], answered, sent[1]["body"]


def test_a_component_is_one_file_that_browsers_keep() -> None:
    files = HashedFiles(rest)
    for folder in FOLDERS:
        importlib.import_module(f"regard.app.components.{folder}.mount").mounted()
        path = f"{PLACE}/{next(name for name in component._files if name.startswith(f'{folder}.'))}"
        status, headers, packed = run_coroutine(asked(files, path))
        _, plain_headers, plain = run_coroutine(asked(files, path, "identity"))
        assert (status, headers["cache-control"], headers["content-encoding"]) == (200, KEPT, "gzip")
        assert gzip.decompress(packed) == plain
        assert "content-encoding" not in plain_headers
        assert headers["content-type"].startswith("text/javascript")
        assert b"export default " in plain
        assert b"export function dress" in plain


def test_a_component_of_another_version_is_not_there() -> None:
    for name in ("stepper.0123456789abcdef.js", "../main.py", "os.js", ""):
        status, _, body = run_coroutine(asked(HashedFiles(rest), f"{PLACE}/{name}"))
        assert (status, body) == (404, b"")


def test_all_else_goes_on_to_the_app() -> None:
    for path in ("/", "/compare", "/static/js/../../index.html", "/static/none.js", "/_stcore/health"):
        assert run_coroutine(asked(HashedFiles(rest), path))[0] == 418
