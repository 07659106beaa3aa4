import type { Permission } from './model.ts';
import { type Draw, definite, keyOf } from './scene.ts';
import { requireThat } from './violation.ts';

type Form = Readonly<Record<string, string>>;

/** Permissions of a key are checked first: a call outside them changes nothing, a call within them is answered as usual. */
export const useRestricted: Draw = (scene) => {
  const { dice, model, site } = scene;
  const partner = dice.of(model.partners);
  const ordinary = {
    key: undefined,
    world: dice.of(['live', 'sandbox'] as const),
    may: ['read', 'buy', 'money'] as const,
  };
  const { key, world, may } = dice.of([...partner.restricted, ordinary]);
  const orders = model.ordersOf(partner, world);
  const order = orders.length === 0 ? undefined : dice.of(orders);
  const product = dice.of(model.plans).alias;
  const subscription = scene.events.subscriptions.find((one) => one.partner === partner && one.world === world);
  /** Calls that would change or reveal something, each with the answer an allowed key gets for an empty request. */
  const calls: readonly (readonly [path: string, permission: Permission, real: Form | undefined, empty: string])[] = [
    ['/account/balance', 'read', undefined, ''],
    ['/order/get?limit=5', 'read', undefined, ''],
    ['/purchase/buy', 'buy', { product_id: product }, 'product_id_required'],
    [
      '/purchase/batch',
      'buy',
      { items: JSON.stringify([{ product_id: product }]), idempotency_key: `no-${model.round}` },
      'items_required',
    ],
    ['/purchase/refill', 'buy', { iccid: order?.iccid ?? '1', product_id: product }, 'iccid_required'],
    ['/order/refund', 'money', { order_id: `${order?.id ?? 1}` }, 'order_id_required'],
    ['/order/cancel', 'money', { order_id: `${order?.id ?? 1}` }, 'order_id_required'],
    ['/esim/suspend', 'money', { iccid: order?.iccid ?? '1' }, 'iccid_required'],
    ['/esim/resume', 'money', { iccid: order?.iccid ?? '1' }, 'iccid_required'],
    ['/esim/replace', 'buy', { iccid: order?.iccid ?? '1', idempotency_key: `no-${model.round}` }, 'iccid_required'],
    ['/account/topup', 'money', { amount: '20.00' }, 'amount_required'],
    ['/account/sandboxReset', 'money', {}, ''],
    ['/webhook/pause', 'webhooks', { id: `${subscription?.id ?? 1}` }, 'id_required'],
    ['/webhook/delete', 'webhooks', { id: `${subscription?.id ?? 1}` }, 'id_required'],
  ];
  const [path, permission, real, empty] = dice.of(calls);
  const isAllowed = (may as readonly Permission[]).includes(permission);
  if (isAllowed && path === '/account/sandboxReset') return undefined;
  return {
    label: `${partner.id} calls ${path} in ${world} with a key that may ${may.join(', ')}`,
    async run() {
      const form = real === undefined ? undefined : isAllowed ? {} : real;
      const answer = definite(scene, await site.call(world, key ?? keyOf(partner, world).key, path, form), path);
      if (!answer) return;
      const { status, body } = answer;
      if (!isAllowed)
        requireThat(
          status === 403 && body.error === 'key_not_permitted' && body.permission === permission,
          `${path} was not refused`,
          body,
        );
      else if (real === undefined) requireThat(status === 200, `${path} was refused`, body);
      else requireThat(status === 400 && body.error === empty, `${path} was not let through`, body);
    },
  };
};
