"""Browser messages: what comes over a websocket, in Streamlit's protocol, made fit for the pages or not heard at all.

Streamlit lets any visitor clear the caches of all, or install files beside the app, and ends in a traceback on what is
no message. Here only what the pages of the app make a browser say goes through.

A message is bounded by its length, then by the number of its fields, before any of it is read. Of several states of one
field the last one counts, as Streamlit has it, and the others are not looked at.
"""

from collections import OrderedDict
from collections.abc import Iterable
from typing import NamedTuple

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from regard.app.input_validation.drawn_fields import DrawnFields
from regard.app.input_validation.link_parameters import LEFT_OUT, checked
from regard.app.input_validation.wire_format import check_count
from regard.model.input_error import InputError

HEARD = {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
OPERATIONS = {"deferred_file", "dataframe_chunk"}  # of the last; the others write files on the server
LONGEST_NAME = 200  # characters of a page's, a fragment's or a file's
MESSAGE_BYTES = 2**20  # of a message, which has some thousands; `maxMessageSize` is for what a page is sent
LONGEST_OTHER = 20_000  # bytes of one that does not ask for a run of the page
LONGEST_STATES = 300_000  # bytes of all states of a message
MOST_STATES, MOST_FILES = 2000, 8
STATES = BackMsg.RERUN_SCRIPT_FIELD_NUMBER, ClientState.WIDGET_STATES_FIELD_NUMBER  # where they stand in a message
MOST_FRAGMENTS = 500  # parts of pages that are remembered of one visit
MOST_FIELDS = 5000  # of a message: states, and hashes of what the browser still has


class Heard(NamedTuple):
    """The part of a message that Streamlit gets, b"" for nothing; `run` is True if it makes the page's script run."""

    content: bytes = b""
    run: bool = False


class BrowserMessages:
    """The messages between one browser and the server."""

    def __init__(self) -> None:
        self._drawn = DrawnFields()
        self._fragments: OrderedDict[str, None] = OrderedDict()

    def said(self, message: ForwardMsg) -> None:
        """Learn from what the server says which fields the browser can change from now on, and which parts may run."""
        self._drawn.learn(message)
        if fragment := message.delta.fragment_id or message.auto_rerun.fragment_id:
            self._fragments[fragment] = None
            self._fragments.move_to_end(fragment)
            if len(self._fragments) > MOST_FRAGMENTS:
                self._fragments.popitem(last=False)

    def fit(self, message: bytes) -> Heard:
        """Return what of the browser's message the server hears.

        Raises InputError for what is no message, and for one that is longer than any that a page sends.
        """
        if len(message) > MESSAGE_BYTES:
            raise InputError(f"{len(message):,} bytes; the limit is {MESSAGE_BYTES:,}")
        check_count(message, STATES, MOST_FIELDS)
        try:
            heard = BackMsg.FromString(message)
        except DecodeError as error:
            raise InputError("not a message of Streamlit's protocol") from error
        kind = heard.WhichOneof("type") or ""
        if kind == "rerun_script":
            return Heard(heard.SerializeToString() if self._fit_run(heard.rerun_script) else message, run=True)
        fits = kind in HEARD and len(message) <= LONGEST_OTHER
        if kind == "file_urls_request":
            names = heard.file_urls_request.file_names
            fits &= len(names) <= MOST_FILES and all(len(name) <= LONGEST_NAME for name in names)
        if kind == "backend_operation_request":
            fits &= heard.backend_operation_request.WhichOneof("payload") in OPERATIONS
        return Heard(message if fits else b"")

    def _fit_run(self, run: ClientState) -> bool:
        """Leave out of a request to run the page what does not fit. Says whether anything was left out."""
        link, states = checked(run.query_string), run.widget_states.widgets
        fitting = self._drawn.fitting(judged(states))
        same = link.query == run.query_string and len(fitting) == len(states)
        if not same:
            marks = "&".join(f"{LEFT_OUT}={name}" for name in link.left_out)
            run.query_string = "&".join(part for part in (link.query, marks) if part)
            kept = [state.SerializeToString() for state in fitting]
            del states[:]
            for state in kept:
                states.add().ParseFromString(state)
        for name in ("page_script_hash", "page_name", "fragment_id"):
            if len(getattr(run, name)) > LONGEST_NAME:
                run.ClearField(name)
                same = False
        if run.fragment_id and run.fragment_id not in self._fragments:  # of a page that another server drew
            run.ClearField("fragment_id")
            same = False
        return not same


def judged(states: Iterable[WidgetState]) -> list[WidgetState]:
    """Return the last state of each field, and of those the shortest, as many as a message may have."""
    latest = {state.id: state for state in states}
    sizes = {identity: state.ByteSize() for identity, state in latest.items()}
    kept, size = set[str](), 0
    for identity in sorted(latest, key=sizes.__getitem__)[:MOST_STATES]:
        size += sizes[identity]
        if size > LONGEST_STATES:
            break
        kept.add(identity)
    return [state for identity, state in latest.items() if identity in kept]
