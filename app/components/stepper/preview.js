// Preview: while weights are dragged, what the model would write with them. One question is under way at a time.

const GIVEN_UP = 4000; // milliseconds after which the next question is asked without the answer to the last

export function previewer(tell) {
  let waiting = /** @type {any} */ (null);
  let under = 0; // the number of the question under way
  let newest = 0; // of those answered
  let timer = 0;
  function send() {
    under = Date.now();
    tell({ ...waiting, nonce: under });
    waiting = null;
    timer = setTimeout(done, GIVEN_UP);
  }
  function done() {
    clearTimeout(timer);
    under = 0;
    if (waiting) send();
  }
  function ask(place) {
    waiting = place;
    if (!under) send();
  }
  // True if it answers a later question than the last answer did.
  function answered({ nonce }) {
    if (nonce === under) done();
    if (!(nonce > newest)) return false;
    newest = nonce;
    return true;
  }
  return { ask, answered };
}
