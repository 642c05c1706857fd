// Layout: where each part of the picture stands, in units that are pixels at a scale of 1.
//
// The encoder's tokens stand side by side at the left, the decoder at the right; time runs from top to bottom.

const DECODER = 440; // units of the decoder's width
const COLUMN = { least: 46, most: 92 };
const HEIGHT = 430; // units that the picture needs
const MARGIN = 92; // for what the rows are called
const LARGEST = 2.2; // times as large as usual

export const COLUMNS = 4; // cells of a fingerprint in a row
const TALLER = { most: 1.7, over: 330 }; // times as high as usual are tiles, and the units of height that double them

// Where rows begin, one below the other, with tiles of these heights.
function rowsOf({ low, high, share }) {
  const forwards = 22;
  const backwards = forwards + low + 5;
  const annotation = backwards + low + 7;
  const score = annotation + high + 14;
  return { token: 14, forwards, backwards, annotation, score, scoreText: score + 40, weight: score + 58, share: score + 65, shareEnd: score + 65 + share };
}

// `tokens` are those of the source; `room` is {width, height} in pixels.
export function layoutOf(tokens, room) {
  const narrowest = MARGIN + tokens * COLUMN.least + DECODER;
  const scale = Math.min(LARGEST, Math.max(1, Math.min(room.height / HEIGHT, room.width / (MARGIN + tokens * 62 + DECODER))));
  const width = Math.max(room.width / scale, narrowest);
  const height = Math.max(room.height / scale, HEIGHT);
  const column = Math.min(COLUMN.most, (width - DECODER - MARGIN) / tokens);
  const used = MARGIN + column * tokens + DECODER;
  const start = Math.max(0, (width - used) / 2);
  const left = start + MARGIN;
  const right = left + column * tokens;
  const taller = Math.min(TALLER.most, 1 + (height - HEIGHT) / TALLER.over);
  const tile = { width: Math.min(64, column - 6), low: 19 * taller, high: 38 * taller, share: 26 * taller };
  const rows = rowsOf(tile);
  const below = height - 60 - 54 * taller; // where the context begins
  return {
    scale, width, height, column, tile, ...rows,
    x: (i) => left + (i + 0.5) * column,
    names: start, left, right,
    ribbons: [rows.shareEnd + 2, below - 2],
    context: { x: (left + right) / 2, y: below, width: 104, height: 54 * taller },
    decoder: right + 24,
    written: height - 14,
  };
}

// Where the parts of the decoder stand, as it is wired; each is the middle of its upper edge.
export function decoderPlaces({ decoder, context, annotation, tile }, { wiring }) {
  const [one, two, three] = [decoder + 112, decoder + 206, decoder + 300];
  const asks = wiring === "bahdanau";
  const joined = context.y + (context.height - tile.high) / 2;
  const asking = annotation + tile.high / 2 + 27; // so that what is asked comes in at the level of the scores
  const below = asking + tile.high;
  return {
    fed: asks ? { x: two, y: below + 6 } : { x: one, y: 18 },
    before: asks ? { x: one, y: asking } : { x: two, y: 12 },
    fedBack: asks ? null : { x: three, y: 12 },
    cell: { x: one, y: asks ? below + 32 : asking - 40, width: 76, height: 24 },
    state: { x: one, y: asks ? below + 74 : asking },
    join: { x: one, y: joined + tile.high / 2 },
    attentional: { x: two, y: joined },
    likely: { x: decoder + 254, y: joined + tile.high / 2 - 65 },
  };
}
