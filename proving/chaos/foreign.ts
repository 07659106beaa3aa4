import type { Partner, WorldName } from './model.ts';
import { type Draw, definite, hasOwnEsim, keyOf, type Scene } from './scene.ts';
import { requireThat } from './violation.ts';

type Form = Readonly<Record<string, string>>;
/** Where an id is sent to, and as what; without it the id is the path. */
type Sending = (id: string) => readonly [path: string, form: Form];

const ESIM_PATHS = ['/esim/suspend', '/esim/resume', '/esim/replace'];

/** Paths with ids of another partner, each beside the same path with an id that does not exist. */
function pairs(scene: Scene, owner: Partner, world: WorldName): [theirs: string, none: string, sending?: Sending][] {
  const { model, events, dice } = scene;
  const orders = model.ordersOf(owner, world);
  const order = orders.length > 0 ? dice.of(orders) : undefined;
  const topup = [...model.topups.values()].findLast((one) => one.partner === owner && one.world === world);
  const subscription = events.subscriptions.find((one) => one.partner === owner && one.world === world);
  const unknownKey = topup?.key.replace(/[0-9a-f]{8}$/, (end) => (end === '00000000' ? '11111111' : '00000000'));
  return [
    ...(order ? [[`/order/detail/${order.id}`, '/order/detail/999999999'] as [string, string]] : []),
    ...(order?.iccid && hasOwnEsim(order)
      ? [[`/order/usage/${order.iccid}`, `/order/usage/${order.iccid.slice(0, -6)}999999`] as [string, string]]
      : []),
    ...(order?.iccid && hasOwnEsim(order)
      ? ESIM_PATHS.map((path): [string, string, Sending] => [
          `${order.iccid}`,
          `${order.iccid?.slice(0, -6)}999999`,
          (iccid) => [path, { iccid, idempotency_key: `pry-${model.round}` }],
        ])
      : []),
    ...(subscription?.deliveryId
      ? [[`/webhook/deliveries?id=${subscription.deliveryId}`, '/webhook/deliveries?id=999999999'] as [string, string]]
      : []),
    ...(topup && unknownKey
      ? [
          [topup.key, unknownKey, (id: string) => ['/account/topupConfirm', { payment_key: id }]] as [
            string,
            string,
            Sending,
          ],
        ]
      : []),
  ];
}

/** Ids of another partner or of the other world are answered byte for byte like ids that do not exist. */
export const pryOpen: Draw = (scene) => {
  const { dice, model, site } = scene;
  const owner = dice.of(model.partners);
  const world = dice.of(['live', 'sandbox'] as const);
  const prying = dice.of(model.partners.filter((one) => one !== owner));
  const found = pairs(scene, owner, world);
  if (found.length === 0) return undefined;
  const [theirs, none, sending] = dice.of(found);
  return {
    label: `${prying.id} looks for ${theirs} of ${owner.id} in ${world}`,
    async run() {
      const ask = (id: string) => {
        const [path, form] = sending?.(id) ?? [id];
        return site.call(world, keyOf(prying, world).key, path, form);
      };
      const [a, b] = [definite(scene, await ask(theirs), theirs), definite(scene, await ask(none), none)];
      if (!a || !b) return;
      requireThat(a.status === 404 && a.text === b.text, 'what is not theirs is not answered as not found', [
        a.text,
        b.text,
      ]);
    },
  };
};

const LONG = 'k'.repeat(192);
/** Requests that must be refused, and change nothing. `PRODUCT` stands for a real one. */
const MALFORMED: readonly (readonly [path: string, form: string, status: number, error: string])[] = [
  ['/purchase/buy', '', 400, 'product_id_required'],
  ['/purchase/buy', 'product_id=1', 400, 'invalid_product'],
  ['/purchase/buy', 'product_id=esc_0000000000000000', 400, 'invalid_product'],
  ['/purchase/buy', 'product_id=PRODUCT&product_id=PRODUCT', 400, 'invalid_product'],
  ['/purchase/buy', `product_id=PRODUCT&idempotency_key=${LONG}`, 400, 'idempotency_key_too_long'],
  ['/purchase/buy', 'product_id=PRODUCT&idempotency_key=%3Cb%3E', 400, 'invalid_idempotency_key'],
  ['/purchase/buy', 'product_id=PRODUCT&idempotency_key=%ff', 400, 'invalid_idempotency_key'],
  ['/purchase/buy', 'product_id=PRODUCT&idempotency_key[]=a', 400, 'invalid_idempotency_key'],
  ['/purchase/buy', 'product_id=PRODUCT&api_key=x', 401, 'api_key_header_required'],
  ['/account/topup', 'amount=-5', 400, 'amount_required'],
  ['/account/topup', 'amount=9.99', 400, 'amount_out_of_range'],
  ['/account/topup', 'amount=1e9', 400, 'amount_required'],
  ['/account/topupConfirm', '', 400, 'payment_key_required'],
  ['/account/topupConfirm', 'payment_key=nothing', 404, 'topup_not_found'],
  ['/esim/suspend', '', 400, 'iccid_required'],
  ['/esim/resume', 'iccid=1', 404, 'esim_not_found'],
  ['/esim/replace', 'idempotency_key=a', 400, 'iccid_required'],
  ['/esim/replace', 'iccid=8944999000000000000&idempotency_key=a', 404, 'esim_not_found'],
  ['/webhook/test', 'subscription_id=0', 404, 'subscription_not_found'],
];

export const malform: Draw = (scene) => {
  const { dice, model, site } = scene;
  const [path, form, status, error] = dice.of(MALFORMED);
  const partner = dice.of(model.partners);
  const world = dice.of(['live', 'sandbox'] as const);
  const body = form.replaceAll('PRODUCT', dice.of(model.plans).alias);
  return {
    label: `${partner.id} sends ${path} ${body.slice(0, 80)} in ${world}`,
    async run() {
      const answer = definite(scene, await site.call(world, keyOf(partner, world).key, path, body), path);
      if (answer) requireThat(answer.status === status && answer.body.error === error, `${path} ${body}`, answer.body);
    },
  };
};

/** A revoked key is refused everywhere. */
export const useRevoked: Draw = (scene) => {
  const { dice, model, site } = scene;
  const partner = dice.of(model.partners);
  const world = dice.of(['live', 'sandbox'] as const);
  const revoked = partner.keys[world].filter((one) => one.revoked.value);
  if (revoked.length === 0) return undefined;
  const { key, id } = dice.of(revoked);
  const form = { product_id: dice.of(model.plans).alias };
  return {
    label: `${partner.id} buys with the revoked key ${id}`,
    async run() {
      const answer = definite(scene, await site.call(world, key, '/purchase/buy', form), 'a purchase');
      if (answer) requireThat(answer.body.error === 'invalid_api_key', 'a revoked key still works', answer.body);
    },
  };
};
