import { Type } from 'typebox';
import { id, oneOf, page, patterned, time } from '../../contract/fields.ts';
import { formatCents } from '../../money/money.ts';
import { type Order, soughtStates } from '../../orders/orders.ts';
import { endpoint } from '../endpoint.ts';
import { soughtReference } from '../purchase/reference.ts';
import { nullable, orderFields, orderView } from '../views.ts';

const MAX_PAGE = 2 ** 31;

export const get = endpoint({
  path: '/order/get',
  verb: 'GET',
  tier: 'read',
  summary: 'Orders, newest first; failed ones are left out unless asked for',
  fields: {
    limit: page({ default: 10, max: 100 }),
    start: page({ default: 1, max: MAX_PAGE }),
    reference: soughtReference,
    iccid: patterned(/^\d{5,22}$/, { invalid: 'invalid_iccid' }),
    product_id: patterned(/^esc_[0-9a-f]{16}$/, { invalid: 'invalid_product' }),
    status: oneOf(soughtStates, { invalid: 'invalid_status', default: undefined }),
    from: time({ invalid: 'invalid_from' }),
    to: time({ invalid: 'invalid_to' }),
    before_id: id({ invalid: 'invalid_before_id' }),
  },
  errors: [],
  simulated: ['order_read_failed'],
  reply: Type.Object({
    order: Type.Array(
      Type.Object({
        ...orderFields,
        product_type: Type.Enum(['esim', 'refill']),
        refunded: Type.String(),
        is_unlimited: Type.Enum(['1', '']),
        esim: Type.Object({
          qrcode_url: Type.String(),
          iccid: Type.String(),
          lpa: Type.String(),
          smdpAddress: Type.String(),
          activationCode: Type.String(),
          matching_id: nullable(Type.String()),
          direct_apple_installation_url: nullable(Type.String()),
        }),
      }),
    ),
    has_more: Type.Boolean(),
  }),
  storeFailure: (codes) => codes.orderRead,
  async handle({ world, partnerId, catalog }, { limit, start, ...filters }) {
    const { product_id: productId, status: state, before_id: beforeId, ...others } = filters;
    const sought = { ...others, productId, state, beforeId };
    const { orders, hasMore } = await world.orders.list(partnerId, sought, { limit, start });
    return {
      body: {
        order: orders.map((order) => ({
          ...orderView(order, catalog),
          product_type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
          refunded: formatCents(order.refunded),
          is_unlimited: order.isUnlimited ? ('1' as const) : ('' as const),
          esim: esimView(order),
        })),
        has_more: hasMore,
      },
    };
  },
});

/** Before delivery these texts are empty: the contract's list does not allow null for them. A refill names the eSIM only. */
function esimView({ esim, iccid }: Order) {
  return {
    qrcode_url: esim?.qrcodeUrl ?? '',
    iccid: iccid ?? '',
    lpa: esim?.smdpAddress ?? '',
    smdpAddress: esim?.smdpAddress ?? '',
    activationCode: esim?.activationCode ?? '',
    matching_id: esim?.matchingId ?? null,
    direct_apple_installation_url: esim?.appleUrl ?? null,
  };
}
