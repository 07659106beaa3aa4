/** Commands to paste into a terminal. The key is in `$KEY`, so it appears neither on screen nor in the shell's history. */
const curl = (rest: string): string => `curl -s -H "X-API-Key: $KEY" ${rest}`;

export const listPlans = (base: string): string => curl(`"${base}/catalog/products?country=FR&limit=3"`);

export const buyPlan = (base: string, productId: string): string =>
  curl(`-d product_id=${productId} -d idempotency_key=first-1 "${base}/purchase/buy"`);
