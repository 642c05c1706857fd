// The working of a number as a Streamlit component.

import { component } from "../shared/mounting.js";
import { workingView } from "./working.js";

export default component((parent, data) => {
  const update = (working) => parent.replaceChildren(workingView(working));
  update(data);
  return { update, destroy: () => parent.replaceChildren() };
});
