// The run as a Streamlit component: the server is told when something that it sent never arrived.

import { mountTraining } from "./training.js";

const mounted = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  let one = mounted.get(parentElement);
  if (one) {
    one.tell = setTriggerValue;
    one.learning.update(data);
  } else {
    one = { tell: setTriggerValue };
    mounted.set(parentElement, one);
    const onLost = () => setTimeout(() => one.tell("lost", Date.now()));
    one.learning = mountTraining(parentElement, data, { onLost });
  }
  return () => {
    one.learning.destroy();
    mounted.delete(parentElement);
  };
}
