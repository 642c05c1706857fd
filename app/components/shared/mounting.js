// Mounting: a Streamlit component's drawing is made once, updated while its element exists, and removed with it.

const mounted = new WeakMap();

// The script of a component. `draw(parent, data, send)` returns `{update, destroy}`; `send(name, value)` messages
// Python, as a trigger or, with `keeps`, as a lasting state.
export function component(draw, { keeps = false } = {}) {
  return ({ data, parentElement, setTriggerValue, setStateValue }) => {
    const one = mounted.get(parentElement) ?? {};
    one.send = keeps ? setStateValue : setTriggerValue;
    if (one.view) one.view.update(data);
    else {
      mounted.set(parentElement, one);
      one.view = draw(parentElement, data, (name, value) => one.send(name, value));
    }
    return () => {
      one.view.destroy();
      mounted.delete(parentElement);
    };
  };
}
