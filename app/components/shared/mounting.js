// Mounting: what a Streamlit component draws into an element is made once, updated while it stands, and removed with it.

const mounted = new WeakMap();

// The script of a component. `draw(parent, data, send)` returns `{update, destroy}`; `send(name, value)` tells Python, as
// a trigger or, with `keeps`, as a state that stays.
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
