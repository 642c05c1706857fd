"""Browser messages: what comes over a websocket, in Streamlit's protocol, made fit for the pages or not heard at all.

Streamlit lets any visitor clear the caches of all, or install files beside the app, and ends in a traceback on what is
no message. Here only what the pages of the app make a browser say goes through.
"""

from google.protobuf.message import DecodeError
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from regard.app.input_validation.drawn_fields import DrawnFields
from regard.app.input_validation.parameters import LEFT_OUT, checked
from regard.model.input_error import InputError

HEARD = {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request", "backend_operation_request"}
OPERATIONS = {"deferred_file", "dataframe_chunk"}  # of the last; the others write files on the server
LONGEST_NAME = 200  # characters of a page's, a fragment's or a file's
MOST_STATES, MOST_HASHES, MOST_FILES = 2000, 20_000, 8


class BrowserMessages:
    """What one browser and the server say to each other."""

    def __init__(self) -> None:
        self._drawn = DrawnFields()

    def said(self, message: bytes) -> None:
        """The server has said this: it may be a field that the browser can change from now on."""
        self._drawn.learn(ForwardMsg.FromString(message))

    def fit(self, message: bytes) -> bytes:
        """What of the browser's message the server hears, b"" for nothing. Raises InputError for what is no message."""
        try:
            heard = BackMsg.FromString(message)
        except DecodeError as error:
            raise InputError("no message of Streamlit's protocol") from error
        kind = heard.WhichOneof("type") or ""
        if kind not in HEARD:
            return b""
        if kind == "rerun_script":
            return heard.SerializeToString() if self._fit_run(heard.rerun_script) else message
        if kind == "file_urls_request":
            names = heard.file_urls_request.file_names
            return message if len(names) <= MOST_FILES and all(len(name) <= LONGEST_NAME for name in names) else b""
        if kind == "backend_operation_request":
            return message if heard.backend_operation_request.WhichOneof("payload") in OPERATIONS else b""
        return message

    def _fit_run(self, run: ClientState) -> bool:
        """Leave out of a request to run the page what does not fit. Says whether anything was left out."""
        link, states = checked(run.query_string), run.widget_states.widgets
        fitting = self._drawn.fitting(states[:MOST_STATES])
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
        if len(run.cached_message_hashes) > MOST_HASHES:
            del run.cached_message_hashes[:]
            same = False
        return not same
