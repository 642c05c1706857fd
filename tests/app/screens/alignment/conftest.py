"""Fixtures of the screen of hand-made links."""

from collections.abc import Iterator

import pytest

from regard.app.models import analyses
from regard.app.models.result_cache import forget_all
from regard.model.checkpoint import Pretrained
from regard.model.word_alignment.alignment_error_rate import STORIES, GoldPair, read_story
from regard.model.word_alignment.from_attention import Aligned, aligned
from tests.support.alignment_screen import STORY


@pytest.fixture(scope="module")
def story(shipped: Pretrained) -> list[GoldPair]:
    return read_story(STORIES / STORY, shipped.tokenizer.languages)


@pytest.fixture
def short_story(story: list[GoldPair], monkeypatch: pytest.MonkeyPatch) -> Iterator[list[GoldPair]]:
    """Eight pairs in place of all, for posteriors of all of them take seconds."""
    pairs = story[:8]
    monkeypatch.setattr(analyses, "read_story", lambda folder, languages: pairs)
    analyses.gold.clear()
    forget_all()
    yield pairs
    analyses.gold.clear()
    forget_all()


@pytest.fixture(scope="module")
def measured(shipped: Pretrained, story: list[GoldPair]) -> list[Aligned]:
    """By the weights; posteriors take several times as long."""
    return list(aligned(shipped, story, posteriors=False))
