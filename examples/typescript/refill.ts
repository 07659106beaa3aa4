// Adds data to an eSIM that you sold: the first refill its plan has.
//   npm pack ./sdk && cd examples/typescript && npm install
//   WAYFARE_KEY=esk_test_… ICCID=8900… npx tsx refill.ts
import { Wayfare } from '@wayfare/sdk';

const { WAYFARE_KEY: key, WAYFARE_URL: baseUrl, ICCID: iccid = '' } = process.env;
if (!key) {
  console.error('Set WAYFARE_KEY to a sandbox key.');
  process.exit(1);
}
const wayfare = new Wayfare({ key, baseUrl });
const { products } = await wayfare.esim.refills(iccid);
const [refill] = products;
if (!refill) throw new Error('Nothing can be added to this eSIM.');
const sale = { iccid, product_id: refill.id, idempotency_key: `typescript-refill-${iccid}` };
const { order_id, delivery } = await wayfare.purchase.refill(sale);
console.log(`Order ${order_id} is ${delivery}: ${refill.title}`);
