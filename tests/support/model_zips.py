"""Model folders with all that may be in them, and zips of them as visitors bring them, good ones and bad ones."""

import shutil
import zipfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path

import numpy as np

from regard.model.analysis.axes_measurement import measure_folder
from regard.model.checkpoint import Pretrained, fingerprint, load
from regard.model.data.corpus import Pair
from regard.model.doubt.chance import FEATURES, Doubt, Fitted, save
from regard.model.training.snapshots import SNAPSHOTS, Snapshot, Snapshots
from tests.support.other_language_models import digits, write_model

SCORES_OF_ONE = b'{"format": 1, "model": {"parameters": 5864}, "exact": 0.5}'
HISTORY = b"update,epoch,tokens,seconds,rate,loss,validation_loss\n10,0,640,1.5,0.004,2.5,2.25\n"
TRAINING = b'{"format": 1, "command": "regard practise"}'
CARD = "# mine\n\nReverses digits. Größe: klein.\n".encode()


def write_doubt(folder: Path) -> Doubt:
    """Make up the fit of doubt of the model in a folder."""
    features = dict.fromkeys(FEATURES, Fitted(0.4, 2.0, -0.7))
    fit = Doubt(fingerprint(folder), 0.1, features, frozenset({"do"}), frozenset({"le"}))
    save(fit, folder)
    return fit


def doubted(model: Pretrained, folder: Path) -> tuple[Pretrained, Doubt]:
    """A copy of a model with a fit of doubt beside it."""
    shutil.copytree(model.folder, folder / model.name, dirs_exist_ok=True)
    fit = write_doubt(folder / model.name)
    return load(folder / model.name), fit


def files(folder: Path) -> dict[str, bytes]:
    """All the files that a model may have, made in that folder."""
    write_model(folder, digits(), score="dot", cell="gru")
    rows = np.full((3, 3), 1 / 3, dtype=np.float32)
    moments = [Snapshot(update, (rows,), (-3.5,), ("9",)) for update in (1, 10)]
    Snapshots((Pair("2 5", "5 2"),), tuple(moments)).save(folder / SNAPSHOTS)
    measure_folder(folder, ["2 5 9", "1 0 7 7"])
    write_doubt(folder)
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    return found | {"scores.json": SCORES_OF_ONE, "history.csv": HISTORY, "training.json": TRAINING, "README.md": CARD}


def packed(contents: Mapping[str, bytes], top: str = "mine/") -> bytes:
    """A zip of them in one folder, which has an entry of its own as in what `zip -r` writes."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        if top:
            archive.writestr(top, b"")
        for name, content in contents.items():
            archive.writestr(f"{top}{name}", content)
    return file.getvalue()


def promising(shape: tuple[int, ...], descr: str) -> bytes:
    """The header of an array, with nothing behind it."""
    file = BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


def entry(contents: Mapping[str, bytes], change: Callable[[zipfile.ZipInfo], None], content: bytes = b"{}") -> bytes:
    """Return a zip with one more entry, by default `config.json`."""
    file = BytesIO(packed({name: each for name, each in contents.items() if name != "config.json"}))
    info = zipfile.ZipInfo("mine/config.json")
    change(info)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(info, content)
    return file.getvalue()


def flagged(zipped: bytes, name: str, offset: int, value: bytes) -> bytes:
    """With bytes of an entry of the list at the end overwritten, as a program that lies would write them."""
    place = zipped.rindex(name.encode()) - 46 + offset
    return zipped[:place] + value + zipped[place + len(value) :]


def altered(contents: Mapping[str, bytes], name: str, change: Callable[[bytes], bytes]) -> bytes:
    return packed({**contents, name: change(contents[name])})
