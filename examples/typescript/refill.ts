// Adds data to an eSIM that you sold: the first refill its plan has.
//   npm pack ./sdk && cd examples/typescript && npm install
//   KEY=esk_test_… ICCID=8900… npx tsx refill.ts
import { Wayfare } from '@wayfare/sdk';

const { KEY: key, API: baseUrl, ICCID: iccid = '' } = process.env;
const wayfare = new Wayfare({ key, baseUrl });
const { products } = await wayfare.esim.refills(iccid);
const [refill] = products;
if (!refill) throw new Error('Nothing can be added to this eSIM.');
const sale = { iccid, product_id: refill.id, idempotency_key: `typescript-refill-${iccid}` };
const { order_id, delivery } = await wayfare.purchase.refill(sale);
console.log(`Order ${order_id} is ${delivery}: ${refill.title}`);
