import type { Catalog } from '../../../../domains/catalog/catalog.ts';
import { type Esim, esimStates } from '../../../../domains/sales/esims/esims.ts';
import { timestamp } from '../../../../platform/clock.ts';
import { described, named, nullable, utcTime } from '../../../../platform/contract/described.ts';
import { id, oneOf, page } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { esimMeanings, esimState } from './state.ts';

const EsimRow = named('Esim', 'An eSIM with the figures of its last usage reading.', {
  iccid: Type.String({ description: 'The number of the eSIM.' }),
  order_id: Type.Integer({ description: 'The order that brought it.' }),
  reference: Type.String({ description: 'Your own reference of that order; empty if you gave none.' }),
  product_id: Type.String({ description: 'The product that was bought.' }),
  product_title: Type.String({ description: 'Name of the plan.' }),
  country_code: Type.String({ description: 'Its destination: ISO code of a country, or the code of a region.' }),
  country_name: Type.String({ description: 'Name of the destination.' }),
  state: esimState,
  total_mb: Type.Integer({ description: 'Data in all, refills included, in MB.' }),
  used_mb: Type.Integer({ description: 'Data used, in MB; 0 before the first reading.' }),
  activated_at: nullable(utcTime('When it was first used; null: not yet.')),
  expires_at: nullable(utcTime('When it ends; null: not known yet.')),
  fetched_at: nullable(utcTime('When these figures were read; null: never.')),
  refills: Type.Integer({ description: 'How many refills it got.' }),
  share_url: Type.String({ description: 'A page for the traveller. Empty if it was revoked.' }),
});

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
    before_id: described('Only eSIMs of orders with a smaller number.', id({ invalid: 'invalid_before_id' }), {
      example: 1042,
    }),
    state: described('Only eSIMs in this state.', oneOf(esimStates, { invalid: 'invalid_state', default: undefined }), {
      meanings: esimMeanings,
    }),
  },
  errors: [],
  simulated: [],
  reply: Type.Object({
    esims: Type.Array(EsimRow, { description: 'The eSIMs, newest first.' }),
    count: Type.Integer({ description: 'How many this answer has.' }),
    has_more: Type.Boolean({ description: 'Whether there are older ones.' }),
  }),
  async handle({ world, partnerId, now, catalog }, { limit, before_id, state }) {
    // One more than is shown tells whether there is a next page.
    const found = await world.esims.list(partnerId, { limit: limit + 1, beforeId: before_id, state }, now);
    const shown = found.slice(0, limit);
    const urls = await world.travellerLinks.urlsOf(shown.map(({ orderId }) => orderId));
    const esims = shown.map((esim) => ({ ...esimRow(esim, catalog), share_url: urls.get(esim.orderId) ?? '' }));
    return { body: { esims, count: esims.length, has_more: found.length > limit } };
  },
});

function esimRow(esim: Esim, catalog: Catalog) {
  const { reading } = esim;
  return {
    iccid: esim.iccid,
    order_id: Number(esim.orderId),
    reference: esim.reference,
    product_id: esim.productId,
    product_title: esim.productTitle,
    country_code: esim.countryCode,
    country_name: catalog.destination(esim.countryCode)?.title ?? esim.countryCode,
    state: esim.state,
    total_mb: reading?.totalMb ?? esim.amountMb,
    used_mb: reading?.usedMb ?? 0,
    activated_at: timestamp(reading?.activatedAt ?? null),
    expires_at: timestamp(reading?.expiresAt ?? null),
    fetched_at: timestamp(reading?.fetchedAt ?? null),
    refills: esim.refills,
  };
}
