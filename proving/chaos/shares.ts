import { aloneWith } from './replacements.ts';
import { type Draw, insist, settled, someOrder } from './scene.ts';
import { requireThat } from './violation.ts';

const DAY_MS = 86_400_000;

/** An eSIM that was used a little and has run out: from now on the partner is due a share of the rest. */
export const useUp: Draw = (scene) => {
  const { dice, site } = scene;
  const order = someOrder(
    scene,
    ({ world, iccid, used, refunded, partner, refund, refills, product, deliveredBy, replacements, rule }) =>
      world === 'live' &&
      iccid !== undefined &&
      used.length === 0 &&
      !rule &&
      refunded === 0 &&
      refills.length === 0 &&
      deliveredBy === product &&
      !product.isStock &&
      refund.value === 'none' &&
      // The share of a replaced one is never paid, whoever comes first.
      replacements.every(({ status }) => status === 'rejected') &&
      partner.revenueShare > 0,
  );
  if (!order) return undefined;
  const used = dice.below(order.product.amountMb);
  const expired = new Date(Date.now() - 10 * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');
  const words = ['usage', 'set', `${order.iccid}`, '--used', `${used}`, '--expires-at', expired];
  return {
    label: words.join(' '),
    alone: aloneWith(order),
    async run() {
      order.used.push(used);
      order.isOver = true;
      const ask = async () => settled(scene, await site.operator(...words), 'usage set');
      if (!(await ask())) scene.later(() => insist('usage set', ask).then(() => {}));
    },
  };
};

/** Pays the shares that are due; the job may do the same by itself at any time. */
export const settle: Draw = (scene) => ({
  label: 'settle',
  async run() {
    const ended = settled(scene, await scene.site.operator('settle'), 'settle');
    requireThat(ended?.outcome !== 'refused', 'settle was refused', ended);
  },
});
