import type { OperatorMeta, Plan } from '../../../../domains/catalog/catalog.ts';
import { apnOf } from '../../../../domains/sales/esims/esims.ts';
import type { Order } from '../../../../domains/sales/order-lists/order-lists.ts';
import { named, nullable, said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { bigIdIn, NO_ID } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { type Context, endpoint } from '../../endpoint.ts';
import { cancel, cancelView, orderFields, orderView, refund, refundView } from '../../views.ts';

const text = (description: string, example: string) => nullable(said.text(description, example));

/** Not there at all before that. */
export const erased = Type.Optional(
  Type.Literal(true, {
    description: 'The eSIM ended long ago and its activation data was destroyed: its texts are empty.',
    examples: [true],
  }),
);

/** Null until the eSIM is there, and where its supplier does not say. */
export const esimFields = {
  qrcode: text('The text of the QR code. Whoever installs it first owns the line.', 'LPA:1$smdp.example.com$K2-1A2B3C'),
  qrcode_url: text('Address of the QR code as an image. Protect it like the code itself.', 'https://…/qr/….svg'),
  iccid: text('The number of the eSIM.', '8900012345678901234'),
  lpa: text('The server the phone downloads from; the same as `smdpAddress`.', 'smdp.example.com'),
  matching_id: text('The activation code that a phone asks for beside the server.', 'K2-1A2B3C'),
  smdpAddress: text('The server (SM-DP+) the phone downloads from.', 'smdp.example.com'),
  activationCode: text('Server and matching id together, as in the QR code.', 'LPA:1$smdp.example.com$K2-1A2B3C'),
  confirmation_code: text('A code that some eSIMs ask for during installation.', '1234'),
  msisdn: text('The phone number, if the eSIM has one.', '+81801234567'),
  apn: text('The access point name, if it has to be typed in.', 'internet'),
  apn_type: text('How the access point name is set: `automatic` or `manual`.', 'automatic'),
  apn_value: text('The access point name; the same as `apn`.', 'internet'),
  is_roaming: nullable(said.boolean('Whether data roaming has to be switched on.', true)),
  erased,
};

/** Activation data of an order. A refill brings none; it only names the eSIM it was added to. */
export function esimBlock({ iccid, esim }: Pick<Order, 'iccid' | 'esim'>, plan: Plan | undefined) {
  const apn = esim?.erased ? { value: '', type: '' } : esim && apnOf(esim, plan?.network.meta);
  return {
    qrcode: esim?.activationCode ?? null,
    qrcode_url: esim?.qrcodeUrl ?? null,
    iccid,
    lpa: esim?.smdpAddress ?? null,
    matching_id: esim?.matchingId ?? null,
    smdpAddress: esim?.smdpAddress ?? null,
    activationCode: esim?.activationCode ?? null,
    confirmation_code: esim?.confirmationCode ?? null,
    msisdn: esim?.msisdn ?? null,
    apn: apn?.value ?? null,
    apn_type: apn?.type ?? null,
    apn_value: apn?.value ?? null,
    is_roaming: esim?.isRoaming ?? null,
    ...(esim?.erased && { erased: esim.erased }),
  };
}

const isSo = (description: string) => nullable(said.boolean(description, true));

const OrderDetail = named('OrderDetail', 'An order with what is known of its plan.', {
  ...orderFields,
  is_unlimited: said.boolean('Whether the data is unlimited.'),
  voice: nullable(said.integer('Minutes of calls; null if none are included.', 60)),
  text: nullable(said.integer('Text messages; null if none are included.', 20)),
  short_info: text('A remark of the supplier; null if there is none.', 'Data only'),
  fup_kind: said.text('Kind of the fair-use rule; `unknown` if the supplier does not say.'),
  fup_daily_mb: said.integer('Data per day at full speed, in MB; 0 if there is no such limit.'),
  fup_speed_kbps: said.integer('Speed after that, in kbit/s; 0 if there is no such limit.'),
  operator_title: said.text('The network operator; may be empty.'),
  operator_image: said.text('Address of its logo; may be empty.', ''),
});

const EsimProfile = named('EsimProfile', 'Activation data, a secret: whoever installs it first owns the line.', {
  ...esimFields,
  share_url: text('A page for the traveller, with the QR code and the steps to install it.', 'https://…/e/…'),
});

const OperatorMetaBlock = named('OperatorMeta', 'What the operator of the network says. Null where it does not.', {
  activation_policy: text('When the days begin to count.', 'first-usage'),
  plan_type: text('What the plan includes.', 'data'),
  esim_type: text('Kind of the eSIM.', 'Prepaid'),
  is_roaming: isSo('Whether data roaming has to be switched on.'),
  is_kyc_verify: isSo('Whether the traveller has to be identified.'),
  rechargeability: isSo('Whether data can be added later.'),
  apn_type: text('How the access point name is set: `automatic` or `manual`.', 'automatic'),
  apn_value: text('The access point name; null if the phone finds it by itself.', 'internet'),
  info: Type.Array(Type.String(), { description: 'Remarks for the traveller.', examples: [['No calls.']] }),
  other_info: text('Further remarks.', 'Works in taxis, too.'),
  warning: text('What the traveller must know before buying.', 'Not for phones bought in China.'),
});

export const detail = endpoint({
  path: '/order/detail',
  verb: 'GET',
  tier: 'read',
  summary: 'One order with its activation data',
  param: {
    name: 'id',
    missing: 'order_id_required',
    schema: Type.Integer({ minimum: 1, description: 'The number of the order.' }),
  },
  errors: ['order_not_found'],
  simulated: ['order_not_found', 'order_read_failed'],
  about:
    'The `esim` block is a secret. Before delivery its fields are null. An order that is not yours is answered like one that does not exist.',
  reply: Type.Object({
    order: OrderDetail,
    esim: EsimProfile,
    operator_meta: OperatorMetaBlock,
    refund: nullable(refund),
    cancel: nullable(cancel),
  }),
  storeFailure: (codes) => codes.orderRead,
  async handle({ world, partnerId, catalog }, _input, { param }) {
    const id = bigIdIn(param) ?? NO_ID;
    const [order, refund] = await Promise.all([world.orders.find(partnerId, id), world.refunds.of(partnerId, id)]);
    if (!order) throw fail('order_not_found');
    const plan = catalog.byAlias(order.productId);
    return {
      body: {
        order: { ...orderView(order, catalog), ...planView(order, plan) },
        esim: {
          ...esimBlock(order, plan),
          share_url: await shareUrl(world, order),
        },
        operator_meta: metaView(order, plan),
        refund: refund ? refundView(refund) : null,
        cancel: order.cancel && cancelView(order.cancel),
      },
    };
  },
});

async function shareUrl({ travellerLinks }: Context['world'], { id, esim }: Order): Promise<string | null> {
  if (!esim) return null;
  return esim.erased ? '' : ((await travellerLinks.urlOf({ id })) ?? null);
}

function planView(order: Order, plan: Plan | undefined) {
  return {
    is_unlimited: order.isUnlimited,
    voice: plan?.voice ?? null,
    text: plan?.text ?? null,
    short_info: plan?.shortInfo ?? null,
    fup_kind: plan?.fairUse.kind ?? 'unknown',
    fup_daily_mb: plan?.fairUse.dailyMb ?? 0,
    fup_speed_kbps: plan?.fairUse.speedKbps ?? 0,
    operator_title: plan?.network.title ?? '',
    operator_image: plan?.network.image ?? '',
  };
}

/** For the APN it uses the eSIM's own data. */
function metaView({ esim }: Order, plan: Plan | undefined) {
  const { type, value } = apnOf(esim, plan?.network.meta);
  return { ...(plan?.network.meta ?? unknownNetwork), apn_type: type, apn_value: value };
}

/** For a plan that is no longer in the catalog. */
const unknownNetwork: { readonly [K in keyof OperatorMeta]: K extends 'info' ? readonly [] : null } = {
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
