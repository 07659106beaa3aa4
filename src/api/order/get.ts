import { Type } from 'typebox';
import { page } from '../../contract/fields.ts';
import type { Order } from '../../orders/orders.ts';
import { endpoint } from '../endpoint.ts';
import { nullable, orderFields, orderView } from '../views.ts';

const MAX_PAGE = 2 ** 31;

export const get = endpoint({
  path: '/order/get',
  verb: 'GET',
  tier: 'read',
  summary: 'Orders, newest first; failed ones are left out',
  fields: { limit: page({ default: 10, max: 100 }), start: page({ default: 1, max: MAX_PAGE }) },
  errors: [],
  simulated: ['order_read_failed'],
  reply: Type.Object({
    order: Type.Array(
      Type.Object({
        ...orderFields,
        product_type: Type.Enum(['esim']),
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
  }),
  storeFailure: (codes) => codes.orderRead,
  async handle({ world, partnerId, catalog }, page) {
    const rows = await world.orders.list(partnerId, page);
    return {
      body: {
        order: rows.map((order) => ({
          ...orderView(order, catalog),
          product_type: 'esim' as const,
          is_unlimited: order.isUnlimited ? ('1' as const) : ('' as const),
          esim: esimView(order.esim),
        })),
      },
    };
  },
});

/** Before delivery these texts are empty: the contract's list does not allow null for them. */
function esimView(esim: Order['esim']) {
  return {
    qrcode_url: esim?.qrcodeUrl ?? '',
    iccid: esim?.iccid ?? '',
    lpa: esim?.smdpAddress ?? '',
    smdpAddress: esim?.smdpAddress ?? '',
    activationCode: esim?.activationCode ?? '',
    matching_id: esim?.matchingId ?? null,
    direct_apple_installation_url: esim?.appleUrl ?? null,
  };
}
