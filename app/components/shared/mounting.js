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

// Unpacks the output of packed.py: JSON followed by its arrays as float32. Returns the settings and the packed data as
// one object.

export function unpack(bytes) {
  const { buffer } = Uint8Array.from(bytes); // a copy begins at a whole word
  const length = new DataView(buffer).getUint32(0, true);
  const numbers = new Float32Array(buffer, 4 + length);
  const [settings, packed] = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)), (_, value) => {
    if (!Array.isArray(value?.shape) || typeof value.data === "string" || value.data === undefined) return value;
    const size = value.shape.reduce((product, side) => product * side, 1);
    return { shape: value.shape, values: numbers.subarray(value.data, value.data + size) };
  });
  return { ...packed, ...settings };
}
