/** Commands to paste into a terminal. The key is in `$WAYFARE_KEY`, so it appears neither on screen nor in the shell's history. */
const curl = (rest: string): string => `curl -s -H "X-API-Key: $WAYFARE_KEY" ${rest}`;

export const listPlans = (base: string): string => curl(`"${base}/catalog/products?country=FR&limit=3"`);

export const buyPlan = (base: string, productId: string): string =>
  curl(`-d product_id=${productId} -d idempotency_key=first-1 "${base}/purchase/buy"`);

/** The key counts the refills of the eSIM, so running the command twice buys once. */
export const refillEsim = (base: string, iccid: string, productId: string, refills: number): string =>
  curl(
    `-d iccid=${iccid} -d product_id=${productId} -d idempotency_key=refill-${iccid}-${refills + 1} "${base}/purchase/refill"`,
  );
