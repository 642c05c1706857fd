"""Hostile values in place of our pages' own: texts, JSON, states of fields, files."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping

from streamlit.proto.WidgetStates_pb2 import WidgetState

from tests.support.model_zips import altered, entry, packed

NUMBERS = (
    "1e400", "-1e400", "inf", "-Infinity", "nan", "NaN", "1e308", "-1e308", "5e-324", "1e16", "9" * 400, "9" * 5000,
    "-9" * 300, "0", "-0", "-1", "1", "2", "3.5", "0x10", "0b1", "1_000", "１２", "٣", "Ⅷ", "½", "1e", "+5", "--5",
    "1,5",
    "1/0", " 7 ", "7\n", "True", "true", "FALSE", "yes", "null", "None", "2026-01-01", "12:00", "2026-01-01T12:00",
    "1" * 9000 + "x", "2147483648", "9007199254740993", "18446744073709551616", "1e-400", "∞", "-∞", "1j",
)  # fmt: skip
TEXTS = (
    "", " ", "\0", "a\0b", "\ud800", "\udfff\ud800", "a\ud800b", "\u202e\u202d", "\u202eabc", "\u2066x\u2069",
    "\u200b" * 50,
    "\ufeff", "\ufffe", "\uffff", "\U0010ffff", "\U000e0001", "\x1b[31m", "\x7f", "\x85", "\u2028", "\n" * 2400,
    "]" + "\n" * 2400,
    "\r\n", "\t" * 500, "a" + "\u0301\u0323" * 3000, "\u0301" * 500, "ﷺ" * 200, "𝕴 𝖑𝖔𝖛𝖊", "👩‍👩‍👧‍👦" * 100,
    "I" * 10_000, "x " * 5000,
    "</s>", "<s>", "<pad>", "<unk>", "<0x00>", "<s></s>" * 50, "▁", "·", "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>", "</style><script>", '"><script>', "<!--", "&lt;script&gt;", "javascript:alert(1)",
    "data:text/html,x",
    "[a](javascript:alert(1))", "![a](http://evil.example/x.png)", "http://evil.example", "<http://evil.example>",
    "`" * 999,
    "$\\frac{1}{", "$$\\def\\x{\\x\\x}\\x$$", "\\(\\href{javascript:alert(1)}{x}\\)", ":red[x]", ":material/home:",
    ":material/nothing:",
    ":streamlit:", "# heading", "| a | b |\n|---|---|", "**" * 500, "_" * 3000, "> " * 500, "{{7*7}}", "${7*7}",
    "%s%s%n", "{0}", "{}",
    "=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2+3", "../../../etc/passwd", "..\\..\\x", "/etc/passwd",
    "file:///etc/passwd",
    "C:\\Windows", "CON", "a/b", "a" * 300, "a" * 301, "'; DROP TABLE x;--", "' OR 1=1", "$(id)", "`id`", "|id",
    ";id", "\\", "%00",
    "%", "%zz", "&a=1", "?x=1", "#x", "a=b", "__class__", "__proto__", "constructor", "None", "undefined", "self",
    "en-fr",
    "reverse-gru", "en-fr-none/../en-fr", "regard-1-x",
)  # fmt: skip
JSON = (
    "", "3", '"x"', "[]", "{}", "true", "false", "null", "-1", "1e400", "-1e400", "NaN", "Infinity", "9" * 400,
    "[1,2,3]", '[""]', "[[]]",
    "[null]", '{"a":1,"a":2}', '{"":""}', '{"__proto__":{}}', "[" * 300 + "]" * 300, "[" * 50_000, '{"a":' * 5000,
    "{" * 20, '"' * 3, '"\\ud800"',
    '{"\\ud800":1}', '"\\u0000"', "[" + "1," * 9999 + "1]", "{" + ",".join(f'"{n}":{n}' for n in range(3000)) + "}",
    "'x'", "{a:1}", "[1,]",
    "// x", "\ufeff{}", "undefined",
    "1" * 9000, '{"selection":3}', '{"selection":{"rows":[999999]}}', '{"selection":{"rows":["x"]}}',
    '{"selection":{"rows":[-1]}}', '{"selection":{"cells":[[0,"x"]]}}', '{"edited_rows":{"0":{"1":5}}}',
    '{"edited_rows":{"999":{"1":"2"}}}',
    '{"edited_rows":{"x":{"1":"2"}}}', '{"edited_rows":{"0":{"no":"2"}}}', '{"edited_rows":{"0":{"1":["2"]}}}',
    '{"edited_rows":[]}',
    '{"added_rows":[{"1":"2"}]}', '{"deleted_rows":[0]}', '{"edited_rows":{"0":{"1":"' + "9" * 9000 + '"}}}',
    '{"sample":1}', '{"value":{}}',
)  # fmt: skip

COUNT = len({*NUMBERS, *TEXTS, *JSON})


def texts() -> tuple[str, ...]:
    """All of them, for a parameter of a link or a field."""
    return tuple(dict.fromkeys((*NUMBERS, *TEXTS, *JSON)))


def states(identity: str) -> Iterator[WidgetState]:
    """Return hostile contents of a field with this id, of every kind that the protocol has."""
    for truth in (True, False):
        yield WidgetState(id=identity, trigger_value=truth)
        yield WidgetState(id=identity, bool_value=truth)
    for number in (float("inf"), float("-inf"), float("nan"), 1e308, -1e308, 1e16, -1.0, 0.0, 0.5, 5e-324):
        yield WidgetState(id=identity, double_value=number)
        yield _array(identity, "double_array_value", [number])
        yield _array(identity, "double_array_value", [number] * 3)
    for whole in (2**63 - 1, -(2**63), -1, 0, 3):
        yield WidgetState(id=identity, int_value=whole)
        yield _array(identity, "int_array_value", [whole])
    for text in (
        "",
        "x",
        "\0",
        "3",
        "<script>",
        "I" * 10_000,
        "a" + "\u0301\u0323" * 3000,
        "]" + "\n" * 2400,
        *JSON[38:],
    ):
        yield WidgetState(id=identity, string_value=text)
        yield _array(identity, "string_array_value", [text])
        state = WidgetState(id=identity)
        state.string_trigger_value.data = text
        yield state
    for name in ("double_array_value", "int_array_value", "string_array_value"):
        yield _array(identity, name, [])
    for text in JSON:
        yield WidgetState(id=identity, json_value=text)
        yield WidgetState(id=identity, json_trigger_value=text)
    yield WidgetState(id=identity, bytes_value=b"\xff" * 100)
    yield WidgetState(id=identity)
    for name in ("x.zip", "../../x", "\0", "x" * 5000):
        state = WidgetState(id=identity)
        info = state.file_uploader_state_value.uploaded_file_info.add()
        info.file_id, info.name, info.size = "no-such-file", name, 2**60
        yield state


def wrong_messages() -> Iterator[tuple[str, object]]:
    """Return messages of any component that none may send."""
    wrong: tuple[object, ...] = (
        3, "x", [], {}, None, True, [3], [None], {"text": 3}, {"text": None}, -1, 2**40, 1.5, [{}], {"kind": []},
        {"nonce": "x"},
        {"kind": "weight", "step": None}, {"kind": {"a": 1}}, [[[[[[[[[[1]]]]]]]]]], {"text": "\ud800"},
        {"number": float("inf")},
    )  # fmt: skip
    for name in (
        "inspect",
        "rows",
        "edit",
        "preview",
        "typed",
        "add",
        "drawn",
        "choose",
        "lost",
        "none",
        "",
        "__class__",
    ):
        yield from ((name, value) for value in wrong)


def fitting_messages(component: str) -> list[tuple[str, object]]:
    """Return messages with a component's types, but out of every range."""
    nonce = 1_790_000_000_000
    far = (-1, 0, 1, 9_999, 2**31 - 1, -(2**31))
    fitting: Mapping[str, list[tuple[str, object]]] = {
        "regard_stepper": [
            *(("inspect", {"kind": "weight", "trace": 0,
            "step": step, "position": step, "nonce": nonce}) for step in far),
            *(("inspect", {"kind": kind, "trace": 9, "step": 0, "nonce": nonce}) for kind in ("rest", "state", "x",
            "\0")),
            *(("inspect", {"kind": "probability", "trace": 0, "step": 0,
            "token": token, "nonce": nonce}) for token in far),
            *(("edit", [{"kind": kind, "number": nonce + 1, **fields}]) for kind, fields in EDITS),
            *(("preview", {"nonce": 1, "step": step, "row": row}) for step in (0, 1, 9_999) for row in ([], [1.0],
            [0.5] * 1000)),
            *(("typed", {"nonce": nonce, "text": text}) for text in (" ", "]" * 2000, "a " * 1000, "<script>", "\0")),
        ],
        "regard_phase_card": [("inspect", {"kind": "score", "step": far_off, "position": 0, "nonce": nonce})
            for far_off in far],
        "regard_beam_tree": [("add", {"text": text}) for text in ("", "~", "1", "9999999g", "1.1.1~" * 600, "<script>",
        "0" * 4000)],
        "regard_link_grid": [("drawn", {"text": text, "number": 3}) for text in ("", "0-0", "99-99", "1p", "x" * 4000,
        "0-0 " * 1000)],
        "regard_pulse": [("beat", {"nonce": nonce, "step": step}) for step in (None, -(10**6), 0, 10**6)],
    }  # fmt: skip
    return fitting.get(component, [])


EDITS: tuple[tuple[str, dict[str, object]], ...] = (
    ("token", {"step": 0, "token": 9_999}), ("token", {"step": 9_999, "token": 4}), ("token", {"step": 0,
    "token": 0}),
    ("text", {"step": 0, "text": "\u0301" * 30}), ("text", {"step": 0, "text": "</s>"}), ("text", {"step": 3,
    "text": ""}),
    ("free", {"step": 9_999}), ("weights", {"step": 0, "row": [1e308, -1e308]}), ("weights", {"step": 0,
    "row": [0.0] * 1000}),
    ("mask", {"positions": list(range(1000)), "masked": True}), ("mask", {"positions": [9_999], "masked": True}),
    ("word", {"word": 9_999, "text": "x"}), ("word", {"word": 0, "text": "a\u0301" * 20}), ("bonus", {"step": 0,
    "position": 0, "value": 1e308}),
    ("bonus", {"step": 0, "position": 9_999, "value": -1}), ("temperature", {"value": 0}), ("temperature",
    {"value": -1e308}),
    ("temperature", {"value": 1e-300}), ("undo", {}), ("redo", {}), ("reset", {}), ("nothing", {}), ("token", {}),
    ("mask", {"x": 1}),
)  # fmt: skip


def told(messages: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yield messages as the text that the protocol carries."""
    for name, value in messages:
        yield json.dumps([{"event": name, "value": value}])


def zips(contents: Mapping[str, bytes]) -> Iterator[bytes]:
    """Fifty files for the field that takes a model; `contents` are the files of a good one."""
    yield from (
        b"",
        b"PK",
        b"PK\x05\x06",
        b"\x1f\x8b gzip",
        b"%PDF-1.7 " * 99,
        b"\0" * 10_000,
        gzip.compress(b"0" * 10**6),
    )
    for name in ("config.json", "tokenizer.json", "model.safetensors", "scores.json", "history.csv"):
        for content in (b"", b"[]", b"3", b"{}", b"\xff\xfe", b"[" * 9000):
            yield packed({**contents, name: content})
        yield altered(contents, name, lambda whole: whole[: len(whole) // 2])
    for path in ("../x", "/etc/passwd", "mine/../../x", "mine/a\0b"):
        yield entry(contents, lambda info, path=path: setattr(info, "filename", path))
    yield packed({**contents, "README.md": b"<script>alert(1)</script> [a](javascript:x) $$" * 99})
    yield packed({**contents, "README.md": b"0" * 50_000_000})
    yield packed({f"{number}.json": b"{}" for number in range(3000)})
    yield packed({**contents, "model.pt": b"\x80\x04."})


MATRIX = "0 ||| a b ||| 0 ||| a b ||| 2 2\n"
LINK_TEXTS = (
    "", "\n\n", "\ufeff", "\0", "0-0", "0-0 1-1", "149-149\n" * 5000, "0-0 " * 50_000, "-1--1", "9" * 400 + "-0",
    "0-" + "9" * 400, "1e400-0", "0p0", "a-b", "0.5 0.5", "nan nan", "inf 0", "1e400 1", "0.5 " * 20_000,
    "a ||| b ||| 0-0", " ||| " * 5000, MATRIX, MATRIX + "1 0\n0 1\n", MATRIX + "nan inf\n",
    MATRIX.replace("2 2", "9" * 30 + " 2"), MATRIX.replace("2 2", "-1 2"), "{}", "[]", "[" * 50_000, '{"format": 2}',
    '{"format": 1e400}', '{"weights": [[NaN]]}', '{"weights": [[1e400]]}', "3", '"x"', "null",
    "<script>alert(1)</script>", "=1+1,2", "a\t" * 30_000, "\r" * 3000, "\u202e" * 100, "a" + "\u0301\u0323" * 3000,
    "\U0010ffff" * 100, "x" * 100_000, "0-0\r\n1-1\r\n", "0 0 0", "0\t0", "0;0", "((((", "a ||| \n" * 2000,
)  # fmt: skip


def link_files() -> Iterator[tuple[str, bytes]]:
    """Fifty files for the field that takes attention of other programs."""
    for number, text in enumerate(LINK_TEXTS):
        yield f"{number}.txt", text.encode()
    yield "bytes.bin", bytes(range(256)) * 40
    yield "links.gz", gzip.compress(b"0-0\n" * 10**6)
    yield "numpy.npz", b"PK\x03\x04" + b"\xff" * 3000


def _array(identity: str, name: str, values: list[object]) -> WidgetState:
    state = WidgetState(id=identity)
    getattr(state, name).SetInParent()
    getattr(state, name).data.extend(values)
    return state
