"""Browser messages: messages over a websocket, in Streamlit's protocol, filtered or rejected.

Streamlit lets any visitor clear everybody's caches or install files beside the app, and fails with a traceback on
anything that is not a message. Only messages that the app's own pages can send pass here.

A message's length, then its number of fields, is limited before any of it is read. If a field has several states, only
the last one is read, as in Streamlit.
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
OPERATIONS = {"deferred_file", "dataframe_chunk"}  # kinds of the last; the others write files on the server
LONGEST_NAME = 200  # characters of the hash of a page, a fragment or a file
MESSAGE_BYTES = 2**20  # of a message, usually some thousands; `maxMessageSize` limits what the server sends
LONGEST_OTHER = 20_000  # bytes of a message that does not request a run of the page
LONGEST_STATES = 300_000  # bytes of all states in a message
MOST_STATES, MOST_FILES = 2000, 8
STATES = BackMsg.RERUN_SCRIPT_FIELD_NUMBER, ClientState.WIDGET_STATES_FIELD_NUMBER  # their path in a message
MOST_FRAGMENTS = 500  # fragments remembered per visit
MOST_FIELDS = 5000  # of a message: states, and hashes of the data that the browser still has


class Heard(NamedTuple):
    """The part of a message passed to Streamlit, b"" for nothing; `run` is True if it makes the page's script run."""

    content: bytes = b""
    run: bool = False


class BrowserMessages:
    """The messages between one browser and the server."""

    def __init__(self) -> None:
        self._drawn = DrawnFields()
        self._fragments: OrderedDict[str, None] = OrderedDict()

    def said(self, message: ForwardMsg) -> None:
        """Learn from a server message which fields the browser can change from now on, and which fragments may run."""
        self._drawn.learn(message)
        if fragment := message.delta.fragment_id or message.auto_rerun.fragment_id:
            self._fragments[fragment] = None
            self._fragments.move_to_end(fragment)
            if len(self._fragments) > MOST_FRAGMENTS:
                self._fragments.popitem(last=False)

    def fit(self, message: bytes) -> Heard:
        """Return the part of the browser's message that the server accepts.

        Raises InputError for anything that is not a message, and for one longer than any page sends.
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
        """Remove invalid parts from a request to run the page. Return True if anything was removed."""
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
        if run.fragment_id and run.fragment_id not in self._fragments:  # the field of a page that another server drew
            run.ClearField("fragment_id")
            same = False
        return not same


def judged(states: Iterable[WidgetState]) -> list[WidgetState]:
    """Return the last state of each field; if a message may not have that many, the shortest ones."""
    latest = {state.id: state for state in states}
    sizes = {identity: state.ByteSize() for identity, state in latest.items()}
    kept, size = set[str](), 0
    for identity in sorted(latest, key=sizes.__getitem__)[:MOST_STATES]:
        size += sizes[identity]
        if size > LONGEST_STATES:
            break
        kept.add(identity)
    return [state for identity, state in latest.items() if identity in kept]
