"""Head picker: on screens that show one attention per step, the choice of a Transformer's cross-attention head."""

import streamlit as st

from regard.model.config import AnyConfig
from regard.model.transformer.transformer import TransformerConfig
from regard.model.word_alignment.from_heads import MEAN, CrossHead

KEY = "cross_head"
ONLY = CrossHead(MEAN, MEAN)  # the choice for a network with a single attention


def head_field(config: AnyConfig) -> CrossHead:
    """Choose a Transformer's head, the mean of a layer's heads (at first the last layer's) or of all."""
    if not isinstance(config, TransformerConfig):
        return ONLY
    names = head_names(config)
    usual = CrossHead(config.decoder_layers - 1, MEAN)
    if st.session_state.get(KEY, usual) not in names:  # chosen for another model, which has more heads
        del st.session_state[KEY]
    return st.selectbox(
        "Cross-attention",
        list(names),
        list(names).index(usual),
        format_func=names.__getitem__,
        key=KEY,
        bind="query-params",
        width=230,
    )


def head_names(config: TransformerConfig) -> dict[CrossHead, str]:
    """Return the names of the heads, layer by layer."""
    names = {}
    for layer in range(config.decoder_layers):
        names |= {CrossHead(layer, head): f"layer {layer + 1}, head {head + 1}" for head in range(config.heads)}
        names[CrossHead(layer, MEAN)] = f"layer {layer + 1}, mean of the heads"
    return {**names, CrossHead(MEAN, MEAN): "mean of all heads"}
