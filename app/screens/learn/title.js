// The heading of a page of the lesson. A new page begins at its top, where the keyboard focus moves.

const mounted = new WeakMap();

export default function ({ data, parentElement }) {
  let one = mounted.get(parentElement);
  if (!one) {
    one = { page: data.page, above: document.createElement("p"), heading: document.createElement("h2") };
    one.heading.tabIndex = -1;
    parentElement.append(one.above, one.heading);
    mounted.set(parentElement, one);
  }
  one.above.textContent = data.above;
  one.heading.textContent = data.title;
  if (one.page !== data.page) {
    one.page = data.page;
    one.above.scrollIntoView({ block: "start" });
    one.heading.focus({ preventScroll: true });
  }
  return () => {
    one.above.remove();
    one.heading.remove();
    mounted.delete(parentElement);
  };
}
