"""Text: the result of a search, its best translation, and where greedy decoding departs from it, as HTML.

The whole search is also written as JSON.
"""

import json
from dataclasses import asdict
from html import escape

from regard.app.theme import component
from regard.app.wording import counted
from regard.model.decoding.beam_tree import BeamTree

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
    """Say where the two paths part, and what each gains."""
    if tree.parting is None:
        return f'<p class="parting">{NARROWEST if tree.settings.width == 1 else SAME}</p>'
    ends = tree.greedy[-1], tree.hypotheses[0]
    taken, kept, greedy, best = (tree.nodes[node] for node in (*tree.parting, *ends))
    pruned = next((tree.nodes[node] for node in tree.greedy if tree.nodes[node].fate == "pruned"), None)
    lost = (
        f" The beam dropped the greedy path at step {pruned.step}, where it was number {pruned.rank} of "
        f"{tree.rounds[pruned.step - 1].candidates} for {counted(tree.rounds[pruned.step - 1].places, 'place')}."
        if pruned
        else ""
    )
    verdict = "better" if best.score > greedy.score else "worse" if best.score < greedy.score else "no better"
    return (
        f'<p class="parting">Greedy decoding and the beam part at step {taken.step}: greedy decoding takes '
        f"{_token(taken.token, language)} (log-probability {component(taken.log_probability)}), the best of the beam "
        f"{_token(kept.token, language)} ({component(kept.log_probability)}). In the end the beam has log-probability "
        f"{component(best.total)} and score {component(best.score)}, greedy decoding {component(greedy.total)} and "
        f"{component(greedy.score)}: the beam’s is {verdict}.{lost}</p>"
    )


def _token(token: str, language: str) -> str:
    return f'<b lang="{escape(language)}">{escape(token.removeprefix(" ") or "␣")}</b>'


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
