import { Type } from 'typebox';
import { timestamp } from '../../clock.ts';
import { fail } from '../../contract/errors.ts';
import { type Esim, type EsimOrder, esimStates } from '../../esims/esims.ts';
import { formatCents } from '../../money/money.ts';
import { androidInstallUrl, appleInstallUrl } from '../../suppliers/suppliers.ts';
import { type Usage, usageOf } from '../../usage/usage.ts';
import { type Context, endpoint } from '../endpoint.ts';
import { esimBlock, esimFields } from '../order/esim-block.ts';
import { usageSchema, usageView } from '../order/usage-view.ts';
import { nullable } from '../views.ts';
import { iccidParam, requireEsim } from './find.ts';

export const detail = endpoint({
  path: '/esim/detail',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'One eSIM: how to install it, its usage, and the orders that paid for it',
  param: iccidParam,
  fields: {},
  errors: ['esim_not_found'],
  simulated: ['esim_not_found'],
  reply: Type.Object({
    esim: Type.Object({ ...esimFields, state: Type.Enum([...esimStates]), share_url: Type.String() }),
    usage: nullable(usageSchema),
    orders: Type.Array(
      Type.Object({
        order_id: Type.Integer(),
        product_type: Type.Enum(['esim', 'refill']),
        product_id: Type.String(),
        product_title: Type.String(),
        sale_price: Type.String(),
        status: Type.String(),
        reference: Type.String(),
        date: Type.String(),
      }),
    ),
    install: Type.Object({ apple_url: Type.String(), android_url: Type.String() }),
  }),
  async handle(context, _input, { param }) {
    const { world, partnerId, catalog } = context;
    const found = await requireEsim(context, param);
    const [usage, order, orders, shareUrl] = await Promise.all([
      usageNow(context, found),
      world.orders.find(partnerId, found.orderId),
      world.esims.ordersOf(found),
      world.share.urlOf({ id: found.orderId }),
    ]);
    // Deleted by a reset since it was found.
    if (!order?.esim) throw fail('esim_not_found');
    const { activationCode, appleUrl } = order.esim;
    return {
      body: {
        esim: {
          ...esimBlock(order),
          state: found.state === 'cancelled' ? found.state : (usage?.status ?? found.state),
          share_url: shareUrl ?? '',
        },
        usage: usage && usageView(usage, catalog),
        orders: orders.map(orderRow),
        install: {
          apple_url: appleUrl ?? appleInstallUrl(activationCode),
          android_url: androidInstallUrl(activationCode),
        },
      },
    };
  },
});

/** A current reading, or the last one if the supplier does not answer. One that was withdrawn is no longer asked about. */
async function usageNow({ world, partnerId, clock, now }: Context, esim: Esim): Promise<Usage | null> {
  const usage = esim.state === 'cancelled' ? undefined : await world.usage.of(partnerId, esim.iccid, clock);
  return usage ?? (esim.reading && usageOf(esim, esim.reading, now));
}

const orderRow = (order: EsimOrder) => ({
  order_id: Number(order.id),
  product_type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
  product_id: order.productId,
  product_title: order.productTitle,
  sale_price: formatCents(order.salePrice),
  status: String(order.status),
  reference: order.reference,
  date: timestamp(order.createdAt),
});
