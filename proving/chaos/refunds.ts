import { refund } from './ledger.ts';
import type { Order, RefundStatus } from './model.ts';
import { aloneWith, standIn } from './replacements.ts';
import { awaitReturn, canReturn, isReturning, withdrawn } from './returns.ts';
import { inCents } from './sale.ts';
import { type Draw, definite, insist, keyOf, type Scene, settled, someOrder } from './scene.ts';
import type { Answer } from './site.ts';
import { requireThat } from './violation.ts';
import { move, usd } from './wallets.ts';

/** A partner asks for its money back, once or several times at once. */
export const askBack: Draw = (scene) => {
  const { dice } = scene;
  const isOdd = dice.chance(15);
  const order = someOrder(
    scene,
    (one) =>
      // While a refill is under way, or may be bought at any moment, both are possible.
      one.refills.every(({ state }) => state !== 'open') &&
      !scene.model.refilling.has(standIn(one)) &&
      (isOdd || (one.state === 'delivered' && (one.refund.value === 'none' || dice.chance(10)))),
  );
  if (!order) return undefined;
  const copies = dice.of([1, 1, 2, 4]);
  return {
    label: `${order.partner.id} asks ${copies} × for the money of ${order.world} order ${order.id}`,
    alone: aloneWith(order),
    beside: [`calm sandbox ${order.partner.id}`, `sandbox ${order.partner.id}`, `clock ${order.partner.id}`],
    async run() {
      const [before, had] = [order.state, order.refund.value];
      if (before !== 'failed' && had === 'none') scene.model.stir(order, 'requested', 'refunded');
      else scene.model.restless.add(order);
      if (had === 'none' && canReturn(order) !== 'no') awaitReturn(scene.model, order);
      const ask = async () => {
        const sent = await scene.site.call(order.world, keyOf(order.partner, order.world).key, '/order/refund', {
          order_id: `${order.id}`,
        });
        const answer = definite(scene, sent, 'a refund');
        if (answer) askedBack(scene, order, { before, had }, answer);
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: copies }, ask));
      if (answers.some((one) => !one)) scene.later(() => insist('a refund', ask).then(() => {}));
    },
  };
};

function askedBack(
  { model }: Scene,
  order: Order,
  { before, had }: { before: Order['state']; had: RefundStatus },
  { status: code, body }: Answer,
): void {
  const what = `the refund of ${order.world} order ${order.id}, ${before}, ${had}`;
  if (code === 409) {
    requireThat(
      body.error === 'order_not_refundable' && had === 'none' && (before !== 'delivered' || order.replaces),
      what,
      body,
    );
    return;
  }
  requireThat(code === 200 && body.refund, what, body);
  const { status, amount } = body.refund;
  requireThat(before !== 'failed' || had !== 'none', `${what}: a failed order has a refund`, body);
  if (had !== 'none') {
    const mayChange = isReturning(order) && status === 'refunded';
    requireThat(status === had || mayChange, `${what}: it changed`, body);
    const amounts = mayChange ? [order.refunded, order.price] : [order.refunded];
    requireThat(amounts.includes(inCents(amount)), `${what}: another amount`, { body, amounts });
    return;
  }
  if (status === 'refunded') {
    requireThat(
      canReturn(order) !== 'no' && inCents(amount) === order.price,
      `${what}: refunded without a return`,
      body,
    );
    withdrawn(order);
    order.refund.confirm('refunded');
    return;
  }
  requireThat(status === 'requested' && inCents(amount) === 0, what, body);
  if (canReturn(order) !== 'yes') return;
  const isSilent = order.world === 'live' && (model.silentUntil > Date.now() || model.isSupplierSilent);
  requireThat(isSilent || model.faulted, `${what}: the supplier answers, and did not take it back`, body);
}

/** Refunds an order in part or in full. Orders with a revenue share have tests of their own. */
export const giveBack: Draw = (scene) => {
  const order = someOrder(scene, ({ used, world }) => world === 'live' && used.length === 0);
  return order && giving(scene, order, ['order', 'refund', `${order.id}`], () => false);
};

/** The operator approves a request wholly or in part, or what was rejected or approved in part before. */
export const approve: Draw = (scene) => {
  const order = waiting(scene);
  const words = ['refund', 'approve', `${order?.id}`];
  return order && giving(scene, order, words, (code) => code === 'refund_not_found' && order.refund.value === 'none');
};

const waiting = (scene: Scene): Order | undefined => {
  const isOdd = scene.dice.chance(20);
  return someOrder(
    scene,
    ({ used, world, refund: block }) => world === 'live' && used.length === 0 && (isOdd || block.value === 'requested'),
  );
};

function giving(
  scene: Scene,
  order: Order,
  command: readonly string[],
  mayRefuse: (code: string) => boolean,
): ReturnType<Draw> {
  const part = scene.dice.chance(50) ? 1 + scene.dice.below(Math.max(order.price, 1)) : undefined;
  const words = [...command, ...(part === undefined ? [] : ['--amount', usd(part)])];
  const left = () => (order.wasPaid ? order.price - order.refunded : 0);
  return {
    label: words.join(' '),
    alone: aloneWith(order),
    run: async () => {
      const wasOpen = order.state === 'open';
      const mayWithdraw = isReturning(order);
      const cents = part ?? left();
      if (order.state !== 'failed') scene.model.stir(order, 'refunded');
      await move(scene, order.partner, words, {
        apply: () => {
          if (left() > 0) refund(order, Math.min(cents, left()));
        },
        mayRefuse: (code) =>
          mayRefuse(code) ||
          (code === 'withdrawal_in_progress' && mayWithdraw && part !== undefined) ||
          (code === 'refund_too_large' && (wasOpen || mayWithdraw || left() < (part ?? 1))),
      });
    },
  };
}

/** The operator rejects a request. A decided one cannot be rejected. */
export const reject: Draw = (scene) => {
  const order = waiting(scene);
  if (!order) return undefined;
  const words = ['refund', 'reject', `${order.id}`, '--note', 'no'];
  return {
    label: words.join(' '),
    alone: aloneWith(order),
    async run() {
      const before = order.refund.value;
      const mayWithdraw = isReturning(order);
      scene.model.stir(order, ...(before === 'requested' ? (['rejected'] as const) : []));
      const ended = settled(scene, await scene.site.operator(...words), words.join(' '));
      if (ended?.outcome === 'done') {
        requireThat(before === 'requested', `a refund that was ${before} was rejected`, words);
        order.refund.confirm('rejected');
      }
      if (ended?.outcome !== 'refused') return;
      const { code } = ended;
      const isRight =
        (code === 'refund_not_found' && before === 'none') ||
        (code === 'refund_decided' && (before === 'refunded' || before === 'rejected' || mayWithdraw)) ||
        (code === 'withdrawal_in_progress' && mayWithdraw);
      requireThat(isRight, `${words.join(' ')} was refused`, { code, before });
    },
  };
};
