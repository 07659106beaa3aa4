import { esimStates } from '../../../../domains/sales/esims/esims.ts';
import { described, said } from '../../../../platform/contract/described.ts';
import { id, oneOf, page } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { esimMeanings, esimRowSchema, esimViews } from './rows.ts';

export const list = endpoint({
  path: '/esim/list',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'eSIMs, newest first, with the usage figures we last read',
  about:
    'No supplier is asked: `order/usage` and `esim/detail` take a new reading. To page, send the `order_id` of the last row as `before_id`.',
  fields: {
    limit: described('How many eSIMs at most. Larger values are reduced to 100.', page({ default: 20, max: 100 })),
    before_id: described('Only eSIMs of orders with a smaller number.', id('invalid_before_id'), { example: 1042 }),
    state: described('Only eSIMs in this state.', oneOf(esimStates, 'invalid_state'), { meanings: esimMeanings }),
  },
  reply: Type.Object({
    esims: Type.Array(esimRowSchema, { description: 'The eSIMs, newest first.' }),
    count: said.integer('How many this answer has.'),
    has_more: said.boolean('Whether there are older ones.'),
  }),
  async handle(context, { limit, before_id, state }) {
    const { world, partnerId, now } = context;
    // One more than is shown tells whether there is a next page.
    const found = await world.esims.list(partnerId, { limit: limit + 1, beforeId: before_id, state }, now);
    const esims = await esimViews(context, found.slice(0, limit));
    return { body: { esims, count: esims.length, has_more: found.length > limit } };
  },
});
