// Loads the page of an order again once the order has moved on.
const { state } = document.currentScript.dataset;
setInterval(async () => {
  const answer = await fetch(`${location.pathname}/state`).catch(() => undefined);
  if (answer?.ok && (await answer.text()) !== state) location.reload();
}, 3_000);
