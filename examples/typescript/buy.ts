// Buys the cheapest plan for France and prints where to install its eSIM.
//   npm pack ./sdk && cd examples/typescript && npm install
//   WAYFARE_KEY=esk_test_… npx tsx buy.ts
import { Wayfare, WayfareError } from '@wayfare/sdk';

const { WAYFARE_KEY: key, WAYFARE_URL: baseUrl } = process.env;
if (!key) {
  console.error('Set WAYFARE_KEY to a sandbox key.');
  process.exit(1);
}
const wayfare = new Wayfare({ key, baseUrl });
const { products } = await wayfare.catalog.products({ country: 'FR', limit: 1 });
const sale = { product_id: products[0]?.id ?? '', idempotency_key: 'typescript-buy-1' };
try {
  const { order_id, delivery } = await wayfare.purchase.buy(sale);
  const { esim } = await wayfare.order.detail(order_id);
  console.log(`Order ${order_id} is ${delivery}: eSIM ${esim.iccid}, ${esim.qrcode_url}`);
} catch (error) {
  if (!(error instanceof WayfareError && error.code === 'insufficient_balance')) throw error;
  console.error(`The balance of ${error.balance} USD does not cover ${error.required} USD.`);
}
