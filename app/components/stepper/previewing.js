// Previewing: while weights are dragged, what the model would write with them. One question is under way at a time.

const GIVEN_UP = 3000; // milliseconds after which an answer is no longer waited for

function previewer(tell) {
  let waiting = null;
  let under = 0; // the number of the question under way
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
  function ask(step, row) {
    waiting = { step, row };
    if (!under) send();
  }
  // Whether it is the answer to what was asked last.
  function answered({ nonce }) {
    if (nonce !== under) return false;
    done();
    return true;
  }
  return { ask, answered };
}
