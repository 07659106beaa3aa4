import type { Model, Order, Partner } from './model.ts';
import { type Draw, definite, insist, keyOf, settled } from './scene.ts';
import { requireThat } from './violation.ts';

const CEILING = 100_000_000;
const OPENING_BALANCE = 100_000;

const isRefilling = ({ refilling }: Model, partner: Partner): boolean =>
  [...refilling].some((one) => one.world === 'sandbox' && one.partner === partner);

/** A reset, alone or during purchases: earlier orders are gone, later ones stay. */
export const reset: Draw = (scene) => {
  const { dice, model, site } = scene;
  const partner = dice.of(model.partners);
  // An eSIM that refills itself may buy at any moment.
  const isCalm = dice.chance(50) && !isRefilling(model, partner);
  return {
    label: `${partner.id} resets its sandbox`,
    alone: [`calm sandbox ${partner.id}`, ...(isCalm ? [`sandbox ${partner.id}`] : ['fault'])],
    async run() {
      const before = model.ordersOf(partner, 'sandbox').length;
      // Whatever is bought after the reset is bought from this.
      partner.sandbox.add(OPENING_BALANCE);
      model.resets.add(partner);
      let tries = 0;
      const ask = async () => {
        tries++;
        const sent = await site.call('sandbox', keyOf(partner, 'sandbox').key, '/account/sandboxReset', {});
        const answer = definite(scene, sent, 'a reset');
        if (!answer) return undefined;
        requireThat(answer.status === 200 && answer.body.balance === 1000, 'a reset was refused', answer.body);
        const exact = isCalm && tries === 1;
        requireThat(!exact || answer.body.deleted_orders === before, 'a reset missed orders', {
          ...answer.body,
          before,
        });
        return answer;
      };
      if (!(await ask())) scene.later(() => insist('a reset', ask).then(() => {}));
    },
  };
};

/**
 * Sets the balance. Runs alone, so that a lost answer leaves only two possible balances, and not while an order or refund that a fault
 * interrupted is unfinished, because it may refund money at any moment.
 */
export const changeBalance: Draw = (scene) => {
  const { dice, model, site } = scene;
  const partner = dice.of(model.partners);
  const isUnsettled = (order: Order) => order.state === 'open' || model.restless.has(order);
  if (model.ordersOf(partner, 'sandbox').some(isUnsettled) || isRefilling(model, partner)) return undefined;
  const operation = dice.of(['add', 'subtract', 'set'] as const);
  const cents = dice.chance(10) ? CEILING - dice.below(10_000) : dice.below(30_000);
  return {
    label: `${partner.id} sandboxBalance ${operation} ${cents} cents`,
    alone: [`calm sandbox ${partner.id}`, `sandbox ${partner.id}`],
    async run() {
      const before = partner.sandbox.now;
      const after = { add: before + cents, subtract: before - cents, set: cents }[operation];
      const form = { operation, amount: (cents / 100).toFixed(2) };
      const key = keyOf(partner, 'sandbox').key;
      const answer = definite(
        scene,
        await site.call('sandbox', key, '/account/sandboxBalance', form),
        'sandboxBalance',
      );
      if (!answer) {
        scene.later(async () => {
          const read = await insist('a balance', async () => {
            // The key it was asked with may have been revoked meanwhile.
            const seen = await site.call('sandbox', keyOf(partner, 'sandbox').key, '/account/balance');
            return seen?.status === 200 ? seen : undefined;
          });
          const now = Math.round(read.body.balance * 100);
          requireThat(now === before || now === after, 'a lost sandboxBalance left another balance', {
            now,
            before,
            after,
          });
          partner.sandbox.add(now - before);
        });
      } else if (answer.status === 200) {
        requireThat(Math.round(answer.body.balance * 100) === after, 'sandboxBalance', { ...answer.body, before });
        partner.sandbox.add(after - before);
      } else {
        const outside = after < 0 || after > CEILING;
        requireThat(outside && answer.body.error === 'balance_out_of_range', 'sandboxBalance was refused', answer.body);
      }
    },
  };
};

/** Turns the sandbox clock by more than a minute: deferred orders are delivered at their next read. */
export const turnClock: Draw = (scene) => {
  const { dice, model, site } = scene;
  const partner = dice.of(model.partners);
  const words = ['sandbox', 'clock', 'advance', '--partner', `${partner.id}`, '--by', '61s'];
  return {
    label: words.join(' '),
    alone: [`clock ${partner.id}`],
    async run() {
      const waiting = model.ordersOf(partner, 'sandbox').filter(({ state }) => state === 'open');
      for (const order of waiting) if (order.minuteIsOver === 'no') order.minuteIsOver = 'perhaps';
      const ask = async () => {
        const ended = settled(scene, await site.operator(...words), words.join(' '));
        if (ended) for (const order of waiting) order.minuteIsOver = 'yes';
        return ended;
      };
      if (!(await ask())) scene.later(() => insist(words.join(' '), ask).then(() => {}));
    },
  };
};
