import { Type } from 'typebox';
import type { Catalog } from '../../catalog/catalog.ts';
import { timestamp } from '../../clock.ts';
import { id, oneOf, page } from '../../contract/fields.ts';
import { type Esim, esimStates } from '../../esims/esims.ts';
import { endpoint } from '../endpoint.ts';
import { nullable } from '../views.ts';

export const list = endpoint({
  path: '/esim/list',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'eSIMs, newest first, with the usage figures we last read',
  fields: {
    limit: page({ default: 20, max: 100 }),
    before_id: id({ invalid: 'invalid_before_id' }),
    state: oneOf(esimStates, { invalid: 'invalid_state', default: undefined }),
  },
  errors: [],
  simulated: [],
  reply: Type.Object({
    esims: Type.Array(
      Type.Object({
        iccid: Type.String(),
        order_id: Type.Integer(),
        reference: Type.String(),
        product_id: Type.String(),
        product_title: Type.String(),
        country_code: Type.String(),
        country_name: Type.String(),
        state: Type.Enum([...esimStates]),
        total_mb: Type.Integer(),
        used_mb: Type.Integer(),
        activated_at: nullable(Type.String()),
        expires_at: nullable(Type.String()),
        fetched_at: nullable(Type.String()),
        refills: Type.Integer(),
        share_url: Type.String(),
      }),
    ),
    count: Type.Integer(),
    has_more: Type.Boolean(),
  }),
  async handle({ world, partnerId, now, catalog }, { limit, before_id, state }) {
    // One more than is shown tells whether there is a next page.
    const found = await world.esims.list(partnerId, { limit: limit + 1, beforeId: before_id, state }, now);
    const shown = found.slice(0, limit);
    const urls = await world.share.urlsOf(shown.map(({ orderId }) => orderId));
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
