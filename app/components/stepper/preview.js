// Preview: while weights are dragged, the translation that they would give. One request is pending at a time.

const GIVEN_UP = 4000; // milliseconds after which the next request is sent without the answer to the last

export function previewer(tell) {
  let waiting = /** @type {any} */ (null);
  let under = 0; // the number of the pending request
  let newest = 0; // the number of the latest answer
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
  // True if it answers a later request than the last answer did.
  function answered({ nonce }) {
    if (nonce === under) done();
    if (!(nonce > newest)) return false;
    newest = nonce;
    return true;
  }
  return { ask, answered };
}
