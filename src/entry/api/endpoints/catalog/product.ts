import { fail } from '../../../../platform/contract/failure.ts';
import { PRODUCT_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { productRow, productSchema } from './rows.ts';

export const product = endpoint({
  path: '/catalog/product',
  verb: 'GET',
  tier: 'catalog',
  summary: 'One plan by its id, including variants that the list hides behind a better one',
  param: {
    name: 'id',
    missing: 'product_id_required',
    schema: Type.String({ pattern: PRODUCT_ID.source, description: 'The id of the product.' }),
  },
  errors: ['invalid_product', 'product_not_found'],
  simulated: ['product_not_found'],
  hasTag: true,
  reply: Type.Object({ product: productSchema }),
  async handle({ catalog, pricing, ready, world, partnerId }, _input, { param, acceptEncoding, envelope }) {
    // A raw internal id gets the same answer as an id that does not exist.
    if (!PRODUCT_ID.test(param) && !/^\d+$/.test(param)) throw fail('invalid_product');
    const prices = await pricing.of(partnerId);
    const plan = catalog.byAlias(param);
    // A refill is sold with the eSIM it is added to; the catalog does not show it.
    if (!plan?.onSale || plan.refills !== null) throw fail('product_not_found');
    const key = `product ${world.schema} ${catalog.version} ${prices.fingerprint} ${plan.alias}`;
    return ready.reply(key, acceptEncoding, () => envelope({ product: productRow(plan, prices.priceOf(plan)) }));
  },
});
