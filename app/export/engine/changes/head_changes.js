// Head changes: heads of a Transformer that a person switches off or gives weights. The twin of
// model/changes/head_changes.py.
//
//     heads_off     [attention, layer, head]                       adds nothing to the residual stream: all weights are 0
//     head_weights  [attention, layer, head, row, [weights]]       used in place of that row's softmax
//
// A row belongs to a source token in the encoder, otherwise to a step.

const ATTENTIONS = ["encoder", "decoder", "cross"];

export const NO_HEADS = { heads_off: [], head_weights: [] };

// A head's name in words.
export const headName = ([attention, layer, head]) => `${attention} attention, layer ${layer + 1}, head ${head + 1}`;

export const isHead = (one, other) => one[0] === other[0] && one[1] === other[1] && one[2] === other[2];

// Checks the values alone.
export function checkHeads({ heads_off: off, head_weights: rows }) {
  for (const [attention] of [...off, ...rows]) {
    if (ATTENTIONS.includes(attention)) continue;
    throw new Error(`attention is '${attention.slice(0, 40)}'; accepted are ${ATTENTIONS.join(", ")}`);
  }
  const both = off.find((head) => rows.some((row) => isHead(head, row)));
  if (both) throw new Error(`${headName(both)} is switched off and given weights; only one can be`);
}

// Checks that a model of this layout (layers, and heads of each, by attention) has these heads, and that rows have the
// length of the sequence looked at; `open` marks the source positions that may be looked at.
export function checkHeadsFit({ heads_off: off, head_weights: rows }, layout, open) {
  for (const named of [...off, ...rows]) {
    const [attention, layer, head] = named;
    if (!Object.hasOwn(layout, attention)) {
      throw new Error("the intervention changes single heads, which only a Transformer has; this model is recurrent");
    }
    const [layers, heads] = layout[attention];
    if (layer >= layers || head >= heads) {
      throw new Error(`${headName(named)} does not exist; the model has layers: ${layers}, heads of each: ${heads}`);
    }
  }
  for (const [attention, layer, head, row, weights] of rows) {
    const name = headName([attention, layer, head]);
    if (attention === "encoder" && row >= open.length) {
      throw new Error(`${name}, source token ${row + 1} is past the end: the source has ${open.length} tokens`);
    }
    const most = attention === "decoder" ? row + 1 : open.length;
    if (weights.length !== most) {
      throw new Error(`${name}, row ${row + 1}: there are ${weights.length} weights; ${most} tokens can be looked at`);
    }
    const masked = attention === "cross" ? weights.findIndex((weight, i) => weight > 0 && !open[i]) : -1;
    if (masked < 0) continue;
    throw new Error(`${name}, row ${row + 1}, source token ${masked + 1}: it has a weight and is masked; `
      + "its weight must be 0");
  }
}

// The weights that a person gives a row of a head, zeros if it is switched off; null if it is unchanged.
export function givenTo({ heads_off: off, head_weights: rows }, place, row, width) {
  if (off.some((head) => isHead(head, place))) return new Float32Array(width);
  const given = rows.find((one) => isHead(one, place) && one[3] === row);
  return given ? Float32Array.from(given[4]) : null;
}
