"""Folders that live as long as a visit: each belongs to a session and is deleted when the session is over.

Streamlit reports the end of a connection, not of a visit: a visitor who was cut off may return within
`server.disconnectedSessionTTL` seconds and continue the session. So a folder is deleted once its session has had no
connection for that long. One thread checks.
"""

import shutil
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from threading import Lock, Thread

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from regard.app.models import temporary
from regard.app.models.result_cache import forget_model
from regard.app.server.visits import Visitor, share
from regard.model.input_error import InputError

_opening = Lock()
PLACE = "own"  # in the server's temporary folder
MOST_OF_ONE, MOST = 6, 32  # folders of one visitor, and of all visitors
TICK = 1.0  # seconds between two checks

FULL_OF_ONE = f"you already have {MOST_OF_ONE} models of your own; remove one on “Import a model” first"
FULL_OF_ADDRESS = f"visitors from your network have {share(MOST)} models of their own here already; try again later"
FULL = f"this server already holds {MOST} models of visitors; try again later"


class VisitFolders:
    """Folders by session, thread-safe. `lives` tells if a session has a connection; `patience` is how long it may lack
    one. `gone` receives the names of deleted folders."""

    def __init__(
        self, place: Path, lives: Callable[[str], bool], patience: float, gone: Callable[[str], object] = str
    ) -> None:
        self.place, self.lives, self.patience, self.gone = place, lives, patience, gone
        self._owners: dict[Path, Visitor] = {}
        self._seen: dict[str, float] = {}  # time of each session's latest connection
        self._lock = Lock()
        Thread(target=self._look, name="visit_folders", daemon=True).start()

    def keep(self, name: str, visitor: Visitor) -> Path:
        """Return a new folder of this name for that visitor to fill. Raises InputError if there are too many."""
        with self._lock:
            owners = list(self._owners.values())
            if [owner.session for owner in owners].count(visitor.session) >= MOST_OF_ONE:
                raise InputError(FULL_OF_ONE)
            if visitor.address and [owner.address for owner in owners].count(visitor.address) >= share(MOST):
                raise InputError(FULL_OF_ADDRESS)
            if len(self._owners) >= MOST:
                raise InputError(FULL)
            folder = self.place / name
            self._owners[folder], self._seen[visitor.session] = visitor, time.monotonic()
        return folder

    def release(self, folder: Path) -> None:
        """Delete a folder now."""
        with self._lock:
            owner = self._owners.pop(folder, None)
            if owner and owner.session not in {other.session for other in self._owners.values()}:
                del self._seen[owner.session]
            self.gone(folder.name)
            shutil.rmtree(folder, ignore_errors=True)

    def sweep(self, now: float) -> None:
        """Delete the folders of ended sessions, and those that belong to none."""
        with self._lock:
            for session in {owner.session for owner in self._owners.values()}:
                if self.lives(session):
                    self._seen[session] = now
                elif now - self._seen[session] >= self.patience:
                    self._owners = {folder: owner for folder, owner in self._owners.items() if owner.session != session}
                    del self._seen[session]
            for folder in self.place.glob("*"):
                if folder not in self._owners:
                    self.gone(folder.name)
                    shutil.rmtree(folder, ignore_errors=True)

    def _look(self) -> None:
        while True:
            time.sleep(TICK)
            self.sweep(time.monotonic())


def visit_folders() -> VisitFolders:
    """Return the server's only instance; two would delete each other's folders."""
    with _opening:
        return _opened()


@cache
def _opened() -> VisitFolders:
    patience = float(st.get_option("server.disconnectedSessionTTL"))
    return VisitFolders(temporary.root() / PLACE, _is_connected, patience, forget_model)


def visitor() -> Visitor:
    """Return the current visitor. Raises InputError outside a visit."""
    context = get_script_run_ctx()
    if context is None:
        raise InputError("only a visit to the app can hold models; name a folder with --models instead")
    return Visitor(context.session_id, st.context.ip_address or "")


def _is_connected(session: str) -> bool:
    return not runtime.exists() or runtime.get_instance().is_active_session(session)
