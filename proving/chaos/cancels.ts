import type { CancelStatus, Order } from './model.ts';
import { aloneWith } from './replacements.ts';
import { awaitCancel } from './returns.ts';
import { type Draw, definite, insist, keyOf, someOpen, someOrder } from './scene.ts';
import type { Answer } from './site.ts';
import { requireThat } from './violation.ts';

/** A partner no longer wants an order; mostly one that is not delivered yet. */
export const cancel: Draw = (scene) => {
  const { dice, model, site } = scene;
  const order = someOpen(scene) ?? someOrder(scene, () => dice.chance(20));
  if (!order) return undefined;
  const { partner, world, id } = order;
  const copies = dice.of([1, 1, 2, 4]);
  return {
    label: `${partner.id} cancels ${copies} × ${world} order ${id}`,
    alone: aloneWith(order),
    beside: [`calm sandbox ${partner.id}`, `sandbox ${partner.id}`, `clock ${partner.id}`],
    async run() {
      const before = { state: order.state, cancel: order.cancel.value };
      if (before.cancel === 'none') {
        model.restless.add(order);
        if (before.state !== 'open') order.cancel.propose('too_late');
        else {
          if (world === 'live') order.cancel.propose('requested');
          awaitCancel(model, order);
        }
      }
      const ask = async () => {
        const sent = await site.call(world, keyOf(partner, world).key, '/order/cancel', { order_id: `${id}` });
        const answer = definite(scene, sent, 'a cancel');
        if (answer) cancelled(order, before, answer);
        return answer;
      };
      const answers = await Promise.all(Array.from({ length: copies }, ask));
      if (answers.some((one) => !one)) scene.later(() => insist('a cancel', ask).then(() => {}));
    },
  };
};

function cancelled(
  order: Order,
  before: { readonly state: Order['state']; readonly cancel: CancelStatus },
  { status: code, body }: Answer,
): void {
  const what = `the cancel of ${order.world} order ${order.id}, ${before.state}, ${before.cancel}`;
  requireThat(code === 200 && body.cancel, what, body);
  const { status } = body.cancel;
  requireThat(order.cancel.has(status), what, { status, possible: order.cancel.all });
  requireThat((status === 'requested') === (body.cancel.decided_at === null), `${what}: decided or not`, body);
  if (before.cancel !== 'none' && before.cancel !== 'requested')
    requireThat(status === before.cancel, `${what}: it changed`, status);
  // Cancelled: it has failed, or it was delivered and handed back since. Which of them is on record, and either is final.
  if (status !== 'requested') order.cancel.confirm(status);
}
