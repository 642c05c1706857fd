"""Launcher: serve the app and open it in a browser, as `regard` does without a command."""

import os
import socket
import sys
import threading
import time
import webbrowser
from pathlib import Path

import streamlit as st
from streamlit.web import cli

from regard.app.models.settings import MODELS_SETTING, models_in
from regard.app.server.processes import check_free, is_free, valid_port
from regard.model.input_error import OneLineParser

FIRST_PORT = 8501


def main() -> None:
    """Run `app/main.py` as `streamlit run` does, with the settings of `.streamlit/config.toml` beside it."""
    parser = OneLineParser(prog="regard", description="Serve the app and open it in a browser.")
    parser.add_argument(
        "--port", type=valid_port, help=f"port to serve on (default: the first free one from {FIRST_PORT})"
    )
    parser.add_argument(
        "--address", default="127.0.0.1", help="address to listen on: 0.0.0.0 lets others in (%(default)s)"
    )
    parser.add_argument(
        "--models",
        type=Path,
        action="append",
        default=[],
        metavar="DIR",
        help="also offer these models: a model, or a folder of models",
    )
    arguments = parser.parse_args()
    for folder in arguments.models:
        if not models_in(folder):
            sys.exit(f"regard: --models {folder}: no model there; a model is a folder with a config.json")
    if arguments.models:  # the server reads them from the environment
        before = [os.environ[MODELS_SETTING]] if os.environ.get(MODELS_SETTING) else []
        os.environ[MODELS_SETTING] = os.pathsep.join([*before, *(str(each.absolute()) for each in arguments.models)])
    if arguments.port:
        check_free(arguments.address, arguments.port)
    number = arguments.port or _free_port(arguments.address)
    threading.Thread(target=_open, args=(arguments.address, number), daemon=True).start()
    script = str(Path(__file__).with_name("main.py"))
    cli.main(["run", script, f"--server.port={number}", f"--server.address={arguments.address}"])


def _free_port(address: str) -> int:
    for number in range(FIRST_PORT, FIRST_PORT + 100):
        if is_free(address, number):
            return number
    sys.exit(f"regard: no free port from {FIRST_PORT} to {FIRST_PORT + 99}; name one with --port")


def _open(address: str, port: int) -> None:
    """Open the page as soon as the server listens, unless there is no screen or Streamlit is headless."""
    host = "localhost" if address in ("0.0.0.0", "::") else address
    while True:
        try:
            socket.create_connection((host, port)).close()
        except OSError:
            time.sleep(0.05)
        else:
            break
    if not st.get_option("server.headless"):
        webbrowser.open(f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}")
