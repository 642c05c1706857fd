"""An attention sequence-to-sequence model whose every number can be read and recomputed.

Reading order of the modules: words, truecasing, tokenizer, readable (how much of a text is read), config,
scores, attention, linear (and threads), cells, encoder, decoder, network (the interface that all networks share),
seq2seq, autoregression, principal_axes, checkpoint, alignment, unknown_words, trace, tracing, archive, translate,
arguments (of `import regard`); values freezes and validates, files reads and writes, input_error reports bad input;
`__main__` is the command line. Then the folders, each
with its own reading order: changes, reference, arithmetic, transformer, doubt, decoding, data, memory, training,
synthetic, word_alignment, evaluation, analysis, cards, uploads, soft_alignments, text_report, examples, worksheet,
commands. This package imports nothing here, so that `regard.model.trace` loads without torch.

Dimension letters, the same in every annotation of the package:

    B  sentences or hypotheses of a batch      S  source tokens, `</s>` included
    T  target tokens, or decoder steps          E  components of an annotation h_i
    H  components of a decoder state s_t        C  components of a cell state (H for an LSTM, 0 for a GRU)
    G  gates of a recurrent cell                A  components of an attentional vector h̃_t
    D  components of an embedding               V  entries of the vocabulary
    Q  components of a key, which a score compares with the state
    K  likeliest next tokens that a trace keeps
"""
