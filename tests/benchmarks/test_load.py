from benchmarks.load_visitor import LoadVisitor
from regard.app.server.draining import ELSEWHERE
from tests.support.event_loop import run_coroutine

SHOWN = 'class="translation"'


def test_a_visitor_arrives_translates_opens_a_number_and_goes_to_another_screen(app_url: str) -> None:
    async def visit() -> list[str]:
        visitor = LoadVisitor(app_url)
        answers = [
            await visitor.arrive(),
            await visitor.translate("There is a dog."),
            await visitor.open_number(),
            await visitor.go("beam"),
        ]
        await visitor.leave()
        return [answer.texts for answer in answers]

    arrived, translated, opened, searched = run_coroutine(visit())
    assert SHOWN in arrived
    assert SHOWN in translated
    assert "**Arithmetic** of the weight" in opened
    assert SHOWN not in opened  # a click draws the arithmetic alone
    assert "Greedy decoding" in searched


def test_who_is_cut_off_and_comes_to_another_server_keeps_what_was_typed_and_is_told(app_url: str) -> None:
    async def visit() -> tuple[str, str]:
        visitor = LoadVisitor(app_url)
        await visitor.arrive({"sentence": "There is a dog."})
        await visitor.leave()
        visitor.session = "of-a-server-that-is-gone"
        await visitor.connect()
        back = await visitor.translate("There is a cat.")
        again = await visitor.translate("There is a red car.")
        await visitor.leave()
        return back.texts, again.texts

    async def plain() -> str:
        visitor = LoadVisitor(app_url)
        answer = await visitor.arrive({"sentence": "There is a cat."})
        await visitor.leave()
        return answer.texts

    back, again = run_coroutine(visit())
    (translation,) = [line for line in run_coroutine(plain()).splitlines() if SHOWN in line]
    assert back.splitlines().count(translation) >= 1
    assert ELSEWHERE in back
    assert ELSEWHERE not in again
