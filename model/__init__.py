"""An attention sequence-to-sequence model whose every number can be read and recomputed.

Reading order of the modules: words, languages, spelling, truecasing, tokenizer, known_symbols, config, scores,
attention, linear, cells, encoder, decoder, rows (of a batch), network (the interface that all networks share), seq2seq,
autoregression, principal_axes, companion_file, principal_axes_file, checkpoint, alignment, posterior_attention, formats
(the writers of traces), trace, trace_list, tracing, archive, line_length, translate, replay, weight_trace, arguments
(of `import regard`); read_only freezes arrays, files writes files atomically, toml_file reads the tables beside a
module, strict_json validates untrusted JSON, upload_limits bounds files, input_error reports bad input, one_line_parser
a wrong command, threads sets how many PyTorch uses; `__main__` is the command line; intervention and what_if are old
names of two modules of changes. Then the folders, each with its own reading order: changes, reference, arithmetic,
transformer, doubt, decoding, data, memory, training, synthetic, word_alignment, evaluation, analysis, cards, uploads,
soft_alignments, text_report, examples, worksheet, commands. This package imports nothing here, so that
`regard.model.trace` loads without torch.

Dimension letters, the same in every annotation of the package:

    B  sentences or hypotheses of a batch      S  source tokens, `</s>` included
    T  target tokens, or decoder steps          E  components of an annotation h_i
    H  components of a decoder state s_t        C  components of a cell state (H for an LSTM, 0 for a GRU)
    G  gates of a recurrent cell                A  components of an attentional vector h̃_t
    D  components of an embedding               V  entries of the vocabulary
    Q  components of a key, which a score compares with the state
    K  likeliest next tokens that a trace keeps
"""
