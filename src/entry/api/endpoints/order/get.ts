import type { Catalog } from '../../../../domains/catalog/catalog.ts';
import type { Order, PartnerOrderFilter, RefundFilter } from '../../../../domains/sales/order-lists/order-lists.ts';
import { formatCents } from '../../../../platform/amounts/cents.ts';
import { described, named, nullable, said, usdText } from '../../../../platform/contract/described.ts';
import { id, oneOf, page, patterned, time } from '../../../../platform/contract/fields.ts';
import { ICCID, PRODUCT_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { orderFields, orderView, productType } from '../../views.ts';
import { reachedStart } from '../account/paging.ts';
import { referenceFilter } from '../purchase/fields.ts';
import { erased } from './detail.ts';

const MAX_PAGE = 2 ** 31;
/** In this list a cancelled order has failed. */
const orderStates = ['paid', 'deferred', 'delivered', 'failed', 'refunded'] as const;
const refundStatuses = ['requested', 'refunded', 'rejected'] as const satisfies readonly RefundFilter[];

const OrderEsim = named('OrderEsim', 'The eSIM of an order; its texts are empty before delivery. A secret.', {
  qrcode_url: said.text('Address of the QR code as an image. Protect it like the code itself.'),
  iccid: said.text('The number of the eSIM.'),
  lpa: said.text('The server the phone downloads from; the same as `smdpAddress`.'),
  smdpAddress: said.text('The server (SM-DP+) the phone downloads from.'),
  activationCode: said.text('Server and matching id together, as in the QR code.'),
  matching_id: nullable(said.text('The activation code that a phone asks for beside the server.', 'K2-1A2B3C')),
  direct_apple_installation_url: nullable(
    said.text('Starts the installation on an iPhone.', 'https://esimsetup.apple.com/…'),
  ),
  erased,
});

export const OrderItem = named('Order', 'An order as lists show it.', {
  ...orderFields,
  product_type: productType,
  refunded: usdText('What of the price was given back.'),
  is_unlimited: Type.Enum(['1', ''], { description: '`1` if the data is unlimited, otherwise an empty string.' }),
  esim: OrderEsim,
});

export const get = endpoint({
  path: '/order/get',
  verb: 'GET',
  tier: 'read',
  summary: 'Orders, newest first; failed ones are left out unless asked for',
  about:
    'To page through many orders, send the id of the last one as `before_id`: unlike page numbers, that never skips or repeats an order when new ones arrive. Without orders the list is empty.',
  fields: {
    limit: described('How many orders at most. Larger values are reduced to 100.', page({ default: 10, max: 100 })),
    start: described('The page, counted from 1. Ignored beside `before_id`.', page({ default: 1, max: MAX_PAGE })),
    reference: described('Only orders with exactly this reference.', referenceFilter, { example: 'booking-4711' }),
    iccid: described('Only the order that brought this eSIM, and its refills.', patterned(ICCID, 'invalid_iccid'), {
      example: '8900012345678901234',
    }),
    product_id: described('Only orders of this product.', patterned(PRODUCT_ID, 'invalid_product'), {
      example: 'esc_0123456789abcdef',
    }),
    status: described('Only orders in this state.', oneOf(orderStates, 'invalid_status'), {
      meanings: {
        paid: 'Paid, and not yet answered by the supplier.',
        deferred: 'Paid, and the delivery is postponed.',
        delivered: 'Delivered, including orders refunded since.',
        failed: 'Will not be delivered.',
        refunded: 'Got money back, in whole or in part.',
      },
    }),
    refund_status: described(
      'Only orders whose refund is in this state. Failed orders get their money back without one.',
      oneOf(refundStatuses, 'invalid_refund_status'),
      {
        meanings: {
          requested: 'The operator has to decide.',
          refunded: 'Money went back, in whole or in part.',
          rejected: 'The operator refused.',
        },
      },
    ),
    from: described('Only orders made at this time or later. Without a zone it is UTC.', time('invalid_from')),
    to: described('Only orders made before this time. Without a zone it is UTC.', time('invalid_to')),
    before_id: described('Only orders with a smaller number.', id('invalid_before_id'), { example: 1042 }),
  },
  simulated: ['order_read_failed'],
  reply: Type.Object({
    order: Type.Array(OrderItem, { description: 'The orders, newest first.' }),
    has_more: said.boolean('Whether older orders match.'),
    start: reachedStart,
  }),
  storeFailure: (codes) => codes.orderRead,
  async handle({ world, partnerId, catalog }, { limit, start, ...filters }) {
    const { product_id: productId, status, refund_status: refund, before_id: beforeId, ...others } = filters;
    const filter = { ...others, productId, state: stateOf(status), refund, beforeId };
    const { orders, hasMore, reached } = await world.orders.list(partnerId, filter, { limit, start });
    return {
      body: {
        order: orders.map((order) => orderItem(order, catalog)),
        has_more: hasMore,
        ...(reached === undefined ? {} : { start: reached }),
      },
    };
  },
});

const stateOf = (status: (typeof orderStates)[number] | undefined): PartnerOrderFilter['state'] => {
  if (status === undefined) return 'unfailed';
  return status === 'failed' ? 'unfulfilled' : status;
};

export const orderItem = (order: Order, catalog: Catalog) => ({
  ...orderView(order, catalog),
  product_type: order.refillOf === null ? ('esim' as const) : ('refill' as const),
  refunded: formatCents(order.refunded),
  is_unlimited: order.isUnlimited ? ('1' as const) : ('' as const),
  esim: esimView(order),
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
    ...(esim?.erased && { erased: esim.erased }),
  };
}
