import { Type } from 'typebox';
import type { OperatorMeta, Plan } from '../../catalog/catalog.ts';
import { fail } from '../../contract/errors.ts';
import type { Order } from '../../orders/orders.ts';
import { refundBlock } from '../../webhooks/webhooks.ts';
import { endpoint } from '../endpoint.ts';
import { nullable, orderFields, orderView, refund } from '../views.ts';
import { esimBlock, esimFields } from './esim-block.ts';

const text = nullable(Type.String());

export const detail = endpoint({
  path: '/order/detail',
  verb: 'GET',
  tier: 'read',
  summary: 'One order with its activation data',
  param: { name: 'id', missing: 'order_id_required', schema: Type.Integer({ minimum: 1 }) },
  fields: {},
  errors: ['order_not_found'],
  simulated: ['order_not_found', 'order_read_failed'],
  reply: Type.Object({
    order: Type.Object({
      ...orderFields,
      is_unlimited: Type.Boolean(),
      voice: nullable(Type.Integer()),
      text: nullable(Type.Integer()),
      short_info: text,
      fup_kind: Type.String(),
      fup_daily_mb: Type.Integer(),
      fup_speed_kbps: Type.Integer(),
      operator_title: Type.String(),
      operator_image: Type.String(),
    }),
    esim: Type.Object({ ...esimFields, share_url: text }),
    operator_meta: Type.Object({
      activation_policy: text,
      plan_type: text,
      esim_type: text,
      is_roaming: nullable(Type.Boolean()),
      is_kyc_verify: nullable(Type.Boolean()),
      rechargeability: nullable(Type.Boolean()),
      apn_type: text,
      apn_value: text,
      info: Type.Array(Type.String()),
      other_info: text,
      warning: text,
    }),
    refund: nullable(refund),
  }),
  storeFailure: (codes) => codes.orderRead,
  async handle({ world, partnerId, catalog }, _input, { param }) {
    // Ids that cannot exist are answered as not found, without a query.
    if (!/^[1-9]\d{0,17}$/.test(param)) throw fail('order_not_found');
    const id = BigInt(param);
    const [order, refund] = await Promise.all([world.orders.find(partnerId, id), world.refunds.of(partnerId, id)]);
    if (!order) throw fail('order_not_found');
    const plan = catalog.byAlias(order.productId);
    return {
      body: {
        order: { ...orderView(order, catalog), ...planView(order, plan) },
        esim: { ...esimBlock(order), share_url: order.esim ? ((await world.share.urlOf(order)) ?? null) : null },
        operator_meta: plan?.operator.meta ?? unknownOperator,
        refund: refund ? refundBlock(refund) : null,
      },
    };
  },
});

function planView(order: Order, plan: Plan | undefined) {
  return {
    is_unlimited: order.isUnlimited,
    voice: plan?.voice ?? null,
    text: plan?.text ?? null,
    short_info: plan?.shortInfo ?? null,
    fup_kind: plan?.fairUse.kind ?? 'unknown',
    fup_daily_mb: plan?.fairUse.dailyMb ?? 0,
    fup_speed_kbps: plan?.fairUse.speedKbps ?? 0,
    operator_title: plan?.operator.title ?? '',
    operator_image: plan?.operator.image ?? '',
  };
}

/** For a plan that is no longer in the catalog. */
const unknownOperator: { readonly [K in keyof OperatorMeta]: K extends 'info' ? readonly [] : null } = {
  activation_policy: null,
  plan_type: null,
  esim_type: null,
  is_roaming: null,
  is_kyc_verify: null,
  rechargeability: null,
  apn_type: null,
  apn_value: null,
  info: [],
  other_info: null,
  warning: null,
};
