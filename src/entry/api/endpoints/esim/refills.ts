import { said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { productRow, productSchema } from '../catalog/rows.ts';
import { iccidParam, requireEsim } from './rows.ts';

export const refills = endpoint({
  path: '/esim/refills',
  verb: 'GET',
  tier: 'catalog',
  isExtension: true,
  summary: 'The plans that can be added to an eSIM, cheapest first',
  about: 'Buy one of them with `purchase/refill`. An eSIM that cannot be refilled gets an empty list.',
  param: iccidParam,
  errors: ['esim_not_found'],
  reply: Type.Object({
    iccid: said.text('The number of the eSIM.'),
    refillable: said.boolean('Whether anything can be added to it now.'),
    products: Type.Array(productSchema, { description: 'The plans that can be added, cheapest first by your price.' }),
    count: said.integer('How many there are.'),
  }),
  async handle(context, _input, { param }) {
    const { world, catalog, pricing, partnerId } = context;
    const [esim, prices] = await Promise.all([requireEsim(context, param), pricing.of(partnerId)]);
    const plans = await world.esims.refillsOf(catalog, esim);
    // The catalog's order is by list price. It decides where the partner pays the same for two of them.
    const products = plans
      .map((plan) => productRow(plan, prices.priceOf(plan)))
      .toSorted((a, b) => a.partner_price - b.partner_price);
    return { body: { iccid: esim.iccid, refillable: products.length > 0, products, count: products.length } };
  },
});
