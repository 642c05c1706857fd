"""A search as JSON: every candidate with its numbers, and every decoder step with its weights and likeliest tokens."""

import json
from dataclasses import asdict

from regard.model.decoding.beam_tree import BeamTree

FORMAT = 1


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
