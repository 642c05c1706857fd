// The run as a Streamlit component: reports to the server when something that it sent never arrived.

import { component } from "../shared/mounting.js";
import { mountTraining } from "./training.js";

export default component((parent, data, send) =>
  mountTraining(parent, data, { onLost: () => setTimeout(() => send("lost", Date.now())) }));
