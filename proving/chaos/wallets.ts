import { end } from './ledger.ts';
import type { Partner } from './model.ts';
import type { Movement } from './records.ts';
import { aloneWith } from './replacements.ts';
import { type Draw, insist, type Scene, settled, someOpen, someOrder } from './scene.ts';
import { requireThat } from './violation.ts';

export const usd = (cents: number) => (cents / 100).toFixed(2);

/** A movement of money by the operator. Its note identifies it in the ledger, so a lost answer can be resolved. */
export async function move(
  scene: Scene,
  partner: Partner,
  words: readonly string[],
  { apply, mayRefuse }: { apply: () => void; mayRefuse: (code: string) => boolean },
): Promise<void> {
  const note = `chaos ${scene.next()}`;
  const movement: Movement = { note, partner, outcome: 'unknown', apply };
  scene.model.movements.push(movement);
  const ended = settled(scene, await scene.site.operator(...words, '--note', note), words.join(' '));
  if (ended?.outcome === 'done') movement.outcome = 'made';
  if (ended?.outcome !== 'refused') return;
  movement.outcome = 'refused';
  scene.model.atClose(() => requireThat(mayRefuse(ended.code), `${words.join(' ')} was refused`, ended.code));
}

const never = () => false;

export const credit: Draw = (scene) => {
  const { dice, model } = scene;
  const partner = dice.of(model.partners);
  const cents = 500 + dice.below(15_000);
  const promo = dice.chance(20) ? ['--promo'] : [];
  const words = ['wallet', 'credit', '--partner', `${partner.id}`, '--amount', usd(cents), ...promo];
  return {
    label: words.join(' '),
    run: () => move(scene, partner, words, { apply: () => partner.wallet.add(cents), mayRefuse: never }),
  };
};

export const adjust: Draw = (scene) => {
  const { dice, model } = scene;
  const partner = dice.of(model.partners);
  const cents = 1 + dice.below(2_000);
  const [debt, add] = [dice.chance(30), dice.chance(50)];
  const account = debt ? partner.debt : partner.wallet;
  const how = [add ? '--add' : '--subtract', usd(cents), ...(debt ? ['--debt'] : [])];
  const words = ['wallet', 'adjust', '--partner', `${partner.id}`, ...how];
  return {
    label: words.join(' '),
    run: () =>
      move(scene, partner, words, {
        apply: () => account.add(add ? cents : -cents),
        // Only cash can be taken, and how much of the balance is gift money is not tracked here.
        mayRefuse: (code) => code === 'insufficient_balance' && !debt && !add,
      }),
  };
};

export const payment: Draw = (scene) => {
  const { dice, model } = scene;
  const partner = dice.of(model.partners);
  const cents = 100 + dice.below(8_000);
  const words = ['wallet', 'payment', '--partner', `${partner.id}`, '--amount', usd(cents)];
  return {
    label: words.join(' '),
    run: () =>
      move(scene, partner, words, {
        apply: () => partner.debt.add(-cents),
        mayRefuse: (code) =>
          (code === 'not_postpaid' && partner.billing.has('prepaid') && partner.debt.least <= 0) ||
          (code === 'payment_too_large' && partner.debt.least < cents),
      }),
  };
};

/** The operator gives up on an order; a finished one cannot be given up. */
export const giveUp: Draw = (scene) => {
  const order =
    someOpen(scene, ({ world }) => world === 'live') ??
    someOrder(scene, ({ world }) => world === 'live' && scene.dice.chance(10));
  if (!order) return undefined;
  const words = ['order', 'fail', `${order.id}`];
  return {
    label: words.join(' '),
    alone: aloneWith(order),
    async run() {
      const before = order.state;
      order.mayFail = true;
      const ask = async () => {
        const ended = settled(scene, await scene.site.operator(...words), words.join(' '));
        if (ended?.outcome === 'done' && order.state === 'open') end(order, 'failed', 'provider_rejected');
        if (ended?.outcome === 'refused') requireThat(ended.code === 'order_not_open', words.join(' '), ended.code);
        if (ended?.outcome === 'done')
          requireThat(before === 'open', `an order that was ${before} was given up`, words);
        return ended;
      };
      if (!(await ask())) scene.later(() => insist(words.join(' '), ask).then(() => {}));
    },
  };
};
