"""Hostile values in place of our pages' own: texts, JSON, states of fields, messages of components."""

import json
from collections.abc import Iterator

from streamlit.proto.WidgetStates_pb2 import WidgetState

TRIGGERS = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # the id of what a component sends

NUMBERS = (
    "1e400", "-1e400", "inf", "-Infinity", "nan", "NaN", "1e308", "-1e308", "5e-324", "1e16", "9" * 400,
    "9" * 5000, "-9" * 300, "0", "-0", "-1", "1", "2", "3.5", "0x10", "0b1", "1_000", "１２", "٣", "Ⅷ", "½", "1e",
    "+5", "--5", "1,5", "1/0", " 7 ", "7\n", "True", "true", "FALSE", "yes", "null", "None", "2026-01-01",
    "12:00", "2026-01-01T12:00", "1" * 9000 + "x", "2147483648", "9007199254740993", "18446744073709551616",
    "1e-400", "∞", "-∞", "1j",
)  # fmt: skip
TEXTS = (
    "", " ", "\0", "a\0b", "\ud800", "\udfff\ud800", "a\ud800b", "\u202e\u202d", "\u202eabc", "\u2066x\u2069",
    "\u200b" * 50, "\ufeff", "\ufffe", "\uffff", "\U0010ffff", "\U000e0001", "\x1b[31m", "\x7f", "\x85",
    "\u2028", "\n" * 2400, "]" + "\n" * 2400, "\r\n", "\t" * 500, "a" + "\u0301\u0323" * 3000, "\u0301" * 500,
    "ﷺ" * 200, "𝕴 𝖑𝖔𝖛𝖊", "👩‍👩‍👧‍👦" * 100, "I" * 10_000, "x " * 5000, "</s>", "<s>", "<pad>", "<unk>", "<0x00>",
    "<s></s>" * 50, "▁", "·", "<script>alert(1)</script>", "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>", "</style><script>", '"><script>', "<!--", "&lt;script&gt;", "javascript:alert(1)",
    "data:text/html,x", "[a](javascript:alert(1))", "![a](http://evil.example/x.png)", "http://evil.example",
    "<http://evil.example>", "`" * 999, "$\\frac{1}{", "$$\\def\\x{\\x\\x}\\x$$",
    "\\(\\href{javascript:alert(1)}{x}\\)", ":red[x]", ":material/home:", ":material/nothing:", ":streamlit:",
    "# heading", "| a | b |\n|---|---|", "**" * 500, "_" * 3000, "> " * 500, "{{7*7}}", "${7*7}", "%s%s%n",
    "{0}", "{}", "=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2+3", "../../../etc/passwd", "..\\..\\x",
    "/etc/passwd", "file:///etc/passwd", "C:\\Windows", "CON", "a/b", "a" * 300, "a" * 301,
    "'; DROP TABLE x;--", "' OR 1=1", "$(id)", "`id`", "|id", ";id", "\\", "%00", "%", "%zz", "&a=1", "?x=1",
    "#x", "a=b", "__class__", "__proto__", "constructor", "None", "undefined", "self", "en-fr", "reverse-gru",
    "en-fr-none/../en-fr", "regard-1-x",
)  # fmt: skip
JSON = (
    "", "3", '"x"', "[]", "{}", "true", "false", "null", "-1", "1e400", "-1e400", "NaN", "Infinity", "9" * 400,
    "[1,2,3]", '[""]', "[[]]", "[null]", '{"a":1,"a":2}', '{"":""}', '{"__proto__":{}}', "[" * 300 + "]" * 300,
    "[" * 50_000, '{"a":' * 5000, "{" * 20, '"' * 3, '"\\ud800"', '{"\\ud800":1}', '"\\u0000"',
    "[" + "1," * 9999 + "1]", "{" + ",".join(f'"{n}":{n}' for n in range(3000)) + "}", "'x'", "{a:1}", "[1,]",
    "// x", "\ufeff{}", "undefined", "1" * 9000, '{"selection":3}', '{"selection":{"rows":[999999]}}',
    '{"selection":{"rows":["x"]}}', '{"selection":{"rows":[-1]}}', '{"selection":{"cells":[[0,"x"]]}}',
    '{"edited_rows":{"0":{"1":5}}}', '{"edited_rows":{"999":{"1":"2"}}}', '{"edited_rows":{"x":{"1":"2"}}}',
    '{"edited_rows":{"0":{"no":"2"}}}', '{"edited_rows":{"0":{"1":["2"]}}}', '{"edited_rows":[]}',
    '{"added_rows":[{"1":"2"}]}', '{"deleted_rows":[0]}', '{"edited_rows":{"0":{"1":"' + "9" * 9000 + '"}}}',
    '{"sample":1}', '{"value":{}}',
)  # fmt: skip

COUNT = len({*NUMBERS, *TEXTS, *JSON})
WHOLE = (2**63 - 1, -(2**63), -1, 0, 3)
REAL = (float("inf"), float("-inf"), float("nan"), 1e308, -1e308, 1e16, -1.0, 0.0, 0.5, 5e-324)
WRONG: tuple[object, ...] = (  # messages that no component sends
    3, "x", [], {}, None, True, [3], {"text": 3}, {"text": None}, -1, 2**40, 1.5, [{}], {"kind": []}, {"nonce": "x"},
    {"kind": "weight", "step": None}, {"kind": {"a": 1}}, [[[[[[[[[[1]]]]]]]]]], {"text": "\ud800"},
    {"number": float("inf")},
)  # fmt: skip
SENT = ("inspect", "rows", "edit", "preview", "typed", "add", "drawn", "beat", "none", "", "__class__")
FAR = (-1, 0, 1, 9_999, 2**31 - 1, -(2**31))
NONCE = 1_790_000_000_000
EDITS: tuple[tuple[str, dict[str, object]], ...] = (
    ("token", {"step": 0, "token": 9_999}), ("token", {"step": 9_999, "token": 4}),
    ("text", {"step": 0, "text": "</s>"}), ("text", {"step": 0, "text": "\u0301" * 30}),
    ("text", {"step": 3, "text": ""}), ("free", {"step": 9_999}),
    ("weights", {"step": 0, "row": [1e308, -1e308]}), ("weights", {"step": 0, "row": [0.0] * 1000}),
    ("mask", {"positions": list(range(1000)), "masked": True}),
    ("mask", {"positions": [9_999], "masked": True}), ("word", {"word": 9_999, "text": "x"}),
    ("bonus", {"step": 0, "position": 0, "value": 1e308}),
    ("bonus", {"step": 0, "position": 9_999, "value": -1}), ("temperature", {"value": 0}),
    ("temperature", {"value": -1e308}), ("undo", {}), ("redo", {}), ("reset", {}), ("nothing", {}),
    ("mask", {"x": 1}),
)  # fmt: skip
FITTING: dict[str, list[tuple[str, object]]] = {  # by component, messages of a right type but out of every range
    "regard_stepper": [
        *(("inspect", {"kind": "weight", "trace": 0, "step": at, "position": at, "nonce": NONCE}) for at in FAR),
        *(("inspect", {"kind": kind, "trace": 9, "step": 0, "nonce": NONCE}) for kind in ("rest", "state", "x", "\0")),
        *(("edit", [{"kind": kind, "number": NONCE + 1, **fields}]) for kind, fields in EDITS),
        *(("preview", {"nonce": 1, "step": step, "row": row}) for step in (0, 9_999) for row in ([], [0.5] * 1000)),
        *(("typed", {"nonce": NONCE, "text": text}) for text in (" ", "]" * 2000, "a " * 1000, "<script>", "\0")),
    ],
    "regard_phase_card": [("inspect", {"kind": "score", "step": at, "position": 0, "nonce": NONCE}) for at in FAR],
    "regard_beam_tree": [("add", {"text": text}) for text in ("", "~", "1", "9999999g", "1.1.1~" * 600, "0" * 4000)],
    "regard_link_grid": [("drawn", {"text": text, "number": 3}) for text in ("", "99-99", "1p", "x" * 4000)],
    "regard_pulse": [("beat", {"nonce": NONCE, "step": step}) for step in (None, -(10**6), 0, 10**6)],
}  # fmt: skip


def texts() -> tuple[str, ...]:
    """All of them, for a parameter of a link or a field."""
    return tuple(dict.fromkeys((*NUMBERS, *TEXTS, *JSON)))


def states(identity: str) -> Iterator[WidgetState]:
    """Return hostile contents of a field with this id, of every kind that the protocol has."""
    yield WidgetState(id=identity)
    yield WidgetState(id=identity, trigger_value=True)
    yield WidgetState(id=identity, bool_value=True)
    yield WidgetState(id=identity, bytes_value=b"\xff" * 100)
    texts = ("", "x", "\0", "3", "<script>", "I" * 10_000, "a" + "\u0301\u0323" * 3000, "]" + "\n" * 2400, *JSON[38:])
    for kind, values in {"double": REAL, "int": WHOLE, "string": texts}.items():
        for value in values:
            yield WidgetState(id=identity, **{f"{kind}_value": value})
        for some in ([], [values[0]], [*values[:3]]):
            state = WidgetState(id=identity)
            getattr(state, f"{kind}_array_value").SetInParent()
            getattr(state, f"{kind}_array_value").data.extend(some)
            yield state
    for text in JSON:
        yield WidgetState(id=identity, json_value=text)
        yield WidgetState(id=identity, json_trigger_value=text)
    for name in ("", "x.zip", "../../x", "\0", "x" * 5000):
        state = WidgetState(id=identity)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = "no-such-file", name, 2**60
        yield state


def wrong_messages() -> list[tuple[str, object]]:
    """Return messages of any component that none may send."""
    return [(name, value) for name in SENT for value in WRONG]


def triggers(identity: str, component: str) -> Iterator[WidgetState]:
    """Return messages of a component, wrong and fitting, as the protocol carries them."""
    for name, value in (*wrong_messages(), *FITTING.get(component, ())):
        text = json.dumps([{"event": name, "value": value}])
        yield WidgetState(id=TRIGGERS.format(identity), json_trigger_value=text)
