// Passes the model's preview, or the refusal of typed words, to the stepper on the same page.
export default function ({ data }) {
  if (data.nonce) document.dispatchEvent(new CustomEvent("regard-preview", { detail: data }));
}
