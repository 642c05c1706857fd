// Typing: while a sentence is typed, its finished words are translated after each pause.
//
// At most one request is pending, and the newest waiting one is next. If the server has no spare time, it is sent
// again later, after a time that doubles; until then only Enter sends one.

const PAUSE = 200; // milliseconds without a key
const AGAIN = 2000; // milliseconds until the next attempt if there was no room
const LOST = 5000; // milliseconds after which an answer is no longer expected
const STORED = "regard-typing";

// The words before the last space; the whole text once a punctuation mark ends it.
export const finished = (text) => (/[.?!…]\s*$/u.test(text) ? text : text.replace(/\S+$/u, "")).trim();

// `ask(words, number)` sends a request; call `answered(number, room)` with the latest number drawn, `entered()` when a
// whole sentence is entered. `on()` and `toggle()` are for its switch.
export function typingOf(ask, clock = () => Date.now()) {
  const state = { on: stored(), last: "", waiting: /** @type {string | null} */ (null), asked: 0, pause: 0, later: 0, patience: AGAIN };

  function toggle() {
    state.on = !state.on;
    store(state.on);
  }

  function typed(text) {
    clearTimeout(state.pause);
    state.pause = setTimeout(() => {
      const words = finished(text);
      if (!state.on || !words || words === state.last) return;
      state.waiting = words;
      send();
    }, PAUSE);
  }

  function send() {
    const underWay = state.asked && clock() - state.asked < LOST;
    if (underWay || state.later || state.waiting === null) return;
    [state.last, state.waiting] = [state.waiting, null];
    state.asked = clock();
    ask(state.last, state.asked);
  }

  function answered(number, room) {
    if (!state.asked || number < state.asked) return;
    state.asked = 0;
    if (room) state.patience = AGAIN;
    else {
      state.waiting ??= state.last;
      state.later = setTimeout(() => {
        state.later = 0;
        send();
      }, state.patience);
      state.patience *= 2;
    }
    send();
  }

  function entered() {
    clearTimeout(state.pause);
    Object.assign(state, { waiting: null, last: "" });
  }
  return { on: () => state.on, toggle, typed, answered, entered };
}

function stored() {
  try {
    return window.localStorage.getItem(STORED) !== "off";
  } catch { // a browser without storage
    return true;
  }
}

function store(on) {
  try {
    window.localStorage.setItem(STORED, on ? "on" : "off");
  } catch { /* it is on again at the next visit */ }
}
