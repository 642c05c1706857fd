"""Text: the result of a search, its best translation, and where greedy decoding departs from it, as HTML.

The whole search is also written as JSON.
"""

import json
from dataclasses import asdict
from html import escape

from regard.app.components.stepper.labels import label
from regard.app.theme import component
from regard.app.wording import counted
from regard.model.decoding.beam_tree import BeamTree, Parting

SAME = "Greedy decoding writes the same translation."
NARROWEST = "A beam of width 1 is greedy decoding."
FORMAT = 1


def best(tree: BeamTree, language: str) -> str:
    """Show the best translation, large, and what it was chosen from."""
    last = tree.nodes[tree.hypotheses[0]]
    count = len(tree.hypotheses)
    many = "the only translation" if count == 1 else f"the best of {count} translations"
    how = "ended" if last.ends else f"reached the limit of {tree.limit} tokens; none ended before"
    text = escape(tree.text(tree.hypotheses[0])) or "—"
    return (
        f'<p class="translation" lang="{escape(language)}" dir="auto">{text}</p>'
        f'<p class="about">{many} that {how} · log-probability {component(last.total)} · score {component(last.score)}'
        f" · {counted(last.step, 'token')}</p>"
    )


def parting(tree: BeamTree, language: str) -> str:
    """Say where the two paths part, what each gains, and what became of the greedy one."""
    if tree.parting is None:
        return f'<p class="parting">{NARROWEST if tree.settings.width == 1 else SAME}</p>'
    parted = tree.parting
    taken, kept = tree.nodes[parted.greedy], tree.nodes[parted.best]
    return (
        f'<p class="parting">Greedy decoding and the beam part at step {parted.step}: greedy decoding takes '
        f"{_token(taken.token, language)} (log-probability {component(taken.log_probability)}), the best of the beam "
        f"{_token(kept.token, language)} ({component(kept.log_probability)}). {_ends(tree, parted)} "
        f"{_lost(tree, parted)}</p>"
    )


def _ends(tree: BeamTree, parted: Parting) -> str:
    greedy, best = tree.nodes[parted.greedy_end], tree.nodes[parted.best_end]
    verdict = "better" if best.score > greedy.score else "worse" if best.score < greedy.score else "no better"
    return (
        f"In the end the beam has log-probability {component(best.total)} and score {component(best.score)}, greedy "
        f"decoding {component(greedy.total)} and {component(greedy.score)}: the beam’s is {verdict}."
    )


def _lost(tree: BeamTree, parted: Parting) -> str:
    """Say what happened to the greedy path in the search."""
    if parted.dropped is None:
        if parted.greedy_end in tree.hypotheses:
            place = tree.hypotheses.index(parted.greedy_end) + 1
            return f"The beam kept the greedy path too: it is number {place} of {len(tree.hypotheses)}."
        return "The beam kept the greedy path too, up to the limit, where it had not ended."
    node = tree.nodes[parted.dropped]
    round = tree.rounds[node.step - 1]
    return (
        f"The beam dropped the greedy path at step {node.step}, where it was number {node.rank} of {round.candidates} "
        f"for {counted(round.places, 'place')}, {component(round.bar - node.total)} short."
    )


def _token(token: str, language: str) -> str:
    return f'<b lang="{escape(language)}">{escape(label(token)["text"])}</b>'


def to_json(tree: BeamTree) -> str:
    """Return the search as JSON. Indices count from 0; `rows` are decoder steps, each from the node it continues."""
    likeliest = zip(tree.top_ids.tolist(), tree.top_tokens, tree.top_log_probabilities.tolist(), strict=True)
    rows = zip(tree.expanded, tree.weights.tolist(), likeliest, strict=True)
    return json.dumps(
        {
            "format": FORMAT,
            "maker": asdict(tree.maker),
            "settings": asdict(tree.settings),
            "limit": tree.limit,
            "source": {
                "text": tree.source.text,
                "tokens": tree.source.tokens,
                "ids": tree.source_ids.tolist(),
                "reach": tree.reach.tolist(),
            },
            "hypotheses": [{"node": node, "text": tree.text(node)} for node in tree.hypotheses],
            "greedy": tree.greedy,
            "rounds": [asdict(one) for one in tree.rounds],
            "nodes": [asdict(node) for node in tree.nodes],
            "rows": [
                {
                    "node": node,
                    "weights": weights,
                    "likeliest": [
                        {"token_id": token_id, "token": token, "log_probability": value}
                        for token_id, token, value in zip(*tops, strict=True)
                    ],
                }
                for node, weights, tops in rows
            ],
        },
        ensure_ascii=False,
    )
