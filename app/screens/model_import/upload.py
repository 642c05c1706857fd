"""Upload: turns a visitor's zip into a model on offer to that visitor alone."""

import re
import secrets
from collections.abc import Collection
from pathlib import PurePath

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from regard.app.models import registry, temporary
from regard.app.models.result_cache import forget_model
from regard.app.models.visit_folders import visit_folders, visitor
from regard.app.visitor.sentence_input import use, visit
from regard.app.wording import between
from regard.model.input_error import InputError
from regard.model.uploads.admission import admit

LONGEST_LABEL = 24  # characters
NO_ROOM = "the server could not write its files, perhaps because its disk is full; try again later"
SECRET = 16  # bytes: too many to guess


def take(file: UploadedFile) -> str:
    """Admit a zip and return the model's name. Raises InputError with the reason for a refusal."""
    label = _label(file.name, [owned.title.partition(" · ")[0] for owned in registry.own().values()])
    name = f"{label}-{secrets.token_hex(SECRET)}"
    folder = visit_folders().keep(name, visitor())
    try:
        temporary.make(folder.parent)
        model = admit(file.getvalue(), folder)
    except BaseException as error:
        visit_folders().release(folder)
        if isinstance(error, OSError):
            raise InputError(NO_ROOM) from error
        if isinstance(error, InputError):
            raise InputError(str(error).replace(f"{folder}/", "").replace(str(folder), label)) from error
        raise
    registry.put(name, folder, f"{label} · {between(model.config.languages)}")
    return name


def give_back(name: str) -> None:
    """Forget the model and delete its folder."""
    folder = registry.folder(name)
    if visit().question.model == name:
        use(registry.model_names()[0])  # while the sentence's languages are still known
    registry.drop(name)
    forget_model(name)
    visit_folders().release(folder)


def let_go(file: UploadedFile) -> None:
    """Release the upload's bytes, which Streamlit would keep for the whole visit."""
    context = get_script_run_ctx()
    if context and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def _label(file_name: str, taken: Collection[str]) -> str:
    """Return a label for a visitor's file, in letters, digits and hyphens, distinct from the visitor's others."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", PurePath(file_name).stem)[:LONGEST_LABEL].strip("-") or "model"
    return registry.distinct(plain, taken)
