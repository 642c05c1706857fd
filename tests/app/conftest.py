"""A sentence before and after everything that can be changed is."""

import pytest

from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace
from regard.model.translate import translate
from tests.support.exported_page import SENTENCE, changed


@pytest.fixture(scope="package")
def before(tiny_model: Pretrained) -> Trace:
    return translate(tiny_model, [SENTENCE])[0]


@pytest.fixture(scope="package")
def after(tiny_model: Pretrained) -> Trace:
    return changed(tiny_model)
