// Address writer: what is on view, in the address of a page of its own, so that the address is a link to it.

const EVERY = 350; // milliseconds; browsers refuse more than some 100 changes of the address in half a minute

export const hasAddress = window.location.protocol !== "about:"; // a notebook's frame has none

// Writes values after the #, those that are "" left out; not over another link, which is about to be shown.
export function addressWriter() {
  let waiting = null;
  let timer = 0;
  let known = window.location.hash; // as it was last read or written
  function flush() {
    timer = 0;
    if (!waiting || !hasAddress) return;
    const said = new URLSearchParams(Object.entries(waiting).filter(([, value]) => value !== ""));
    waiting = null;
    if (window.location.hash !== known) return;
    if (`#${said}` !== known) window.history.replaceState(null, "", `#${said}`);
    known = window.location.hash;
    timer = setTimeout(flush, EVERY);
  }
  window.addEventListener("pagehide", flush);
  window.addEventListener("hashchange", () => {
    waiting = null;
    known = window.location.hash;
  });
  return (values) => {
    waiting = values;
    timer ||= setTimeout(flush, EVERY);
  };
}
