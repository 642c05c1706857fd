"""Served components: the browser fetches a component's script once, by an address with its hash, and caches it.

Streamlit puts a component's script and style into every message that mounts it, which for the stepper is 130 kB with
each sentence. Here a message only has a few lines that import them.
"""

import hashlib
import importlib
import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

import streamlit as st
from streamlit.components.v2 import component

from regard.app.components.shared.messages import read
from regard.app.components.shared.modules import script, style

PLACE = "/components"  # served by app.server.pages
FOLDERS = "stepper phase_card beam_tree training_monitor matrices link_grid figure_export pulse working".split()

# An adopted style sheet exists before the first drawing, and is parsed once for all instances.
_DRESSED = Template("""$script
const sheet = new CSSStyleSheet();
sheet.replaceSync($style);
export function dress(parent) {
  const root = parent.getRootNode();
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
""")
# A component may be drawn twice before its script arrives; Streamlit then removes the first drawing after the second.
# WebKit lets all importers but the first go on before the `await` is over (its bug 242740): their drawings wait.
LOADER = Template("""const latest = new WeakMap(), waiting = [];
let script = null;
export default function mount(given) {
  const place = given.parentElement, drawing = {};
  latest.set(place, drawing);
  const draw = () => {
    if (latest.get(place) !== drawing) return;
    script.dress(place);
    drawing.remove = script.default(given);
  };
  if (script) draw();
  else waiting.push(draw);
  return () => {
    if (latest.get(place) !== drawing) return;
    latest.delete(place);
    drawing.remove?.();
  };
}
script = await import(new URL($address, window.location.origin).href);
waiting.forEach((draw) => draw());
""")
_files: dict[str, bytes] = {}  # by name, with the hash


def served(folder: str, entry: str, sheets: Sequence[str], base: str = "") -> Callable[[], Any]:
    """Return a function that returns a component of `FOLDERS`, ready to mount and registered once.

    `entry` is the module of the folder whose default export draws it; its `sheets` follow the style `base`.
    """

    @cache
    def mounted() -> Any:
        place = Path(__file__).parent.parent / folder
        css = json.dumps("\n".join(filter(None, (base, style(place, sheets)))))
        code = _DRESSED.substitute(script=script(place / entry), style=css).encode()
        name = f"{folder}.{hashlib.sha256(code).hexdigest()[:16]}.js"
        _files[name] = code
        return component(f"regard_{folder}", js=LOADER.substitute(address=json.dumps(address(name))))

    return mounted


def sent(name: str, key: str, message: str) -> Any:
    """Return the latest message from a component of this name, mounted under `key`, or None without a valid one."""
    return read(name, message, st.session_state.get(key, {}).get(message))


def hear(name: str, key: str, message: str, act: Callable[[Any], None]) -> None:
    """Pass a component's message on, if there is one, in a callback."""
    if (told := sent(name, key, message)) is not None:
        act(told)


def address(name: str) -> str:
    """Return a file's address, from the root of its host."""
    base = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"{'/' + base if base else ''}{PLACE}/{name}"


def file(name: str) -> bytes | None:
    """Return the file of this name, or None if this version has no such component."""
    if name not in _files and name.partition(".")[0] in FOLDERS:
        module = importlib.import_module(f"regard.app.components.{name.partition('.')[0]}.mount")
        module.mounted()  # a page drawn by another replica may ask before this one has drawn any
    return _files.get(name)
