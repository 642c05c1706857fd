from benchmarks.load_visitor import LoadVisitor
from regard.model.checkpoint import Pretrained
from regard.model.translate import translate
from tests.support.event_loop import run_coroutine

SENTENCE = "There is a dog."


def test_a_change_that_comes_with_a_preview_is_shown(app_url: str, shipped: Pretrained) -> None:
    """A busy page says both in one request, and the preview alone asks for a run of its own part."""
    length = len(translate(shipped, [SENTENCE])[0].source_ids)
    row = [0.75, 0.25, *[0.0] * (length - 2)]

    async def visit() -> str:
        visitor = LoadVisitor(app_url)
        await visitor.arrive({"sentence": SENTENCE})
        preview = {"nonce": 1, "step": 0, "row": row}
        answer = await visitor.tell(preview=preview, edit=[{"number": 1, "kind": "weights", "step": 0, "row": row}])
        await visitor.leave()
        return answer.texts

    assert "with what you changed" in run_coroutine(visit())
