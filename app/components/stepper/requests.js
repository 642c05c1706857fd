// Requests to the server: changes until they are acknowledged; previews of a drag, and the words of a sentence that is
// being typed, one at a time.

// `tell(changes)` receives all changes not yet acknowledged, so that none is lost when several come at once.
export function sender(tell) {
  let waiting = [];
  let number = 0;
  function send(change) {
    number = Math.max(number + 1, Date.now());
    waiting.push({ ...change, number });
    tell([...waiting]);
  }
  function heard(last) {
    waiting = waiting.filter((change) => change.number > last);
  }
  return { send, heard };
}

// One request at a time, the newest value next. `send(value, number)` sends it; without an answer to the number it is
// given up after `patience` milliseconds.
export function latest(send, patience) {
  let waiting = /** @type {any} */ (null);
  let number = 0; // of the pending request
  let timer = 0;
  function ask(value) {
    waiting = value;
    if (number || waiting === null) return;
    [waiting, number] = [null, Date.now()];
    timer = setTimeout(answered, patience, number);
    send(value, number);
  }
  function answered(to) {
    if (!number || to < number) return;
    clearTimeout(timer);
    number = 0;
    ask(waiting);
  }
  // The pending request was refused: its value is sent again `later`, unless a newer one is waiting.
  function refused(value, later) {
    waiting ??= value;
    clearTimeout(timer);
    timer = setTimeout(answered, later, number);
  }
  return { ask, answered, refused, pending: (to) => number !== 0 && to >= number };
}

// Typing: while a sentence is typed, its finished words are translated after each pause. If the server has no spare time,
// they are sent again later, after a time that doubles; until then only Enter sends one.

const PAUSE = 200; // milliseconds without a key
const AGAIN = 2000; // milliseconds until the next attempt if there was no room
const LOST = 5000; // milliseconds after which an answer is no longer expected
const STORED = "regard-typing";

// The words before the last space; the whole text once a punctuation mark ends it.
export const finished = (text) => (/[.?!…]\s*$/u.test(text) ? text : text.replace(/\S+$/u, "")).trim();

// `ask(words, number)` sends a request; call `answered(number, room)` with the latest number drawn, `entered()` when a
// whole sentence is entered. `on()` and `toggle()` are for its switch.
export function typingOf(ask) {
  let on = stored((storage) => storage.getItem(STORED)) !== "off";
  let last = "";
  let pause = 0;
  let later = AGAIN;
  const requests = latest((words, number) => {
    last = words;
    ask(words, number);
  }, LOST);

  function toggle() {
    on = !on;
    stored((storage) => storage.setItem(STORED, on ? "on" : "off"));
  }
  function typed(text) {
    clearTimeout(pause);
    pause = setTimeout(() => {
      const words = finished(text);
      if (on && words && words !== last) requests.ask(words);
    }, PAUSE);
  }
  function answered(number, room) {
    if (!requests.pending(number)) return;
    if (room) {
      later = AGAIN;
      return requests.answered(number);
    }
    requests.refused(last, later);
    later *= 2;
  }
  function entered() {
    clearTimeout(pause);
    last = "";
    requests.ask(null);
  }
  return { on: () => on, toggle, typed, answered, entered };
}

// What `use` makes of the browser's storage; null in a browser without one.
export function stored(use) {
  try {
    return use(window.localStorage);
  } catch {
    return null;
  }
}
