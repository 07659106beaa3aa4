import type { ConsoleAnswer } from './console.ts';
import { refund } from './ledger.ts';
import type { Partner } from './model.ts';
import type { Movement } from './records.ts';
import { aloneWith } from './replacements.ts';
import { type Draw, insist, noteBusy, type Scene, someOrder } from './scene.ts';
import { requireThat } from './violation.ts';
import { usd } from './wallets.ts';

/*
 * Commands that an operator runs in the console, with a page's key. A repeated click, even after a lost answer, has one effect,
 * and every answer to it is the same.
 */

interface Click {
  readonly partner: Partner;
  readonly command: string;
  readonly input: Readonly<Record<string, string | boolean>>;
  apply(): void;
  mayRefuse(code: string): boolean;
}

function clicked(scene: Scene, click: Click, alone: readonly string[] = []): ReturnType<Draw> {
  const { dice, model, site } = scene;
  const copies = dice.of([2, 2, 3, 8]);
  const note = `chaos ${scene.next()}`;
  const label = `console: ${click.command} ${JSON.stringify(click.input)} ${copies} × at once`;
  return {
    label,
    alone,
    async run() {
      const movement: Movement = { note, partner: click.partner, outcome: 'unknown', apply: click.apply };
      model.movements.push(movement);
      const who = await site.console();
      if (!who) return requireThat(model.broken, 'signing in failed though nothing is broken');
      const answers: ConsoleAnswer[] = [];
      const ask = async () => {
        const answer = await who.run(click.command, { ...click.input, note }, note);
        const isKnown = answer && answer.status < 500 && answer.code !== 'action_in_progress';
        const isBusy = answer?.status === 503;
        if (isBusy) noteBusy(model);
        const isExcused = model.broken || isBusy || (answer?.code === 'action_in_progress' && model.faulted);
        requireThat(isKnown || isExcused, `${label} failed though nothing was broken`, answer);
        if (isKnown) answers.push(answer);
        return isKnown ? answer : undefined;
      };
      const asked = await Promise.all(Array.from({ length: copies }, ask));
      if (asked.some((one) => !one)) scene.later(() => insist(label, ask).then(() => judge()));
      else judge();
      function judge() {
        const made = answers.filter(({ status }) => status === 200);
        for (const one of made) requireThat(one.text === made[0]?.text, `${label}: two answers`, [made[0], one]);
        // A refusal left nothing, so the same click may go through a moment later.
        if (answers.length > 0) movement.outcome = made.length > 0 ? 'made' : 'refused';
        const refused = answers.filter(({ status }) => status !== 200);
        model.atClose(() => {
          for (const one of refused) requireThat(click.mayRefuse(one.code ?? ''), `${label} was refused`, one);
        });
      }
    },
  };
}

const never = () => false;

/** Credit, a correction or a payment. */
export const clickMoney: Draw = (scene) => {
  const { dice, model } = scene;
  const partner = dice.of(model.partners);
  const cents = 100 + dice.below(6_000);
  const of = { partner: `${partner.id}` };
  switch (dice.of(['credit', 'add', 'subtract', 'payment'] as const)) {
    case 'credit': {
      const input = { ...of, amount: usd(cents) };
      return clicked(scene, {
        partner,
        command: 'wallet credit',
        input,
        apply: () => partner.wallet.add(cents),
        mayRefuse: never,
      });
    }
    case 'add': {
      const input = { ...of, add: usd(cents), debt: true };
      return clicked(scene, {
        partner,
        command: 'wallet adjust',
        input,
        apply: () => partner.debt.add(cents),
        mayRefuse: never,
      });
    }
    case 'subtract': {
      const input = { ...of, subtract: usd(cents) };
      const mayRefuse = (code: string) => code === 'insufficient_balance';
      return clicked(scene, {
        partner,
        command: 'wallet adjust',
        input,
        apply: () => partner.wallet.add(-cents),
        mayRefuse,
      });
    }
    case 'payment': {
      const input = { ...of, amount: usd(cents) };
      const mayRefuse = (code: string) =>
        (code === 'not_postpaid' && partner.billing.has('prepaid') && partner.debt.least <= 0) ||
        (code === 'payment_too_large' && partner.debt.least < cents);
      return clicked(scene, {
        partner,
        command: 'wallet payment',
        input,
        apply: () => partner.debt.add(-cents),
        mayRefuse,
      });
    }
  }
};

/** A refund from the page of an order that has none. */
export const clickRefund: Draw = (scene) => {
  const { dice } = scene;
  const order = someOrder(
    scene,
    ({ world, state, used, refund: block, withdrawal, cancel, replaces }) =>
      world === 'live' &&
      state === 'delivered' &&
      used.length === 0 &&
      block.value === 'none' &&
      withdrawal === 'no' &&
      cancel.value !== 'requested' &&
      !replaces,
  );
  if (!order) return undefined;
  const cents = dice.chance(70) ? 1 + dice.below(order.price) : order.price;
  const input = { id: `${order.id}`, amount: usd(cents), version: 'none' };
  const click = {
    partner: order.partner,
    command: 'order refund',
    input,
    apply: () => refund(order, cents),
    mayRefuse: never,
  };
  const operation = clicked(scene, click, aloneWith(order));
  return (
    operation && {
      ...operation,
      run() {
        scene.model.stir(order, 'refunded');
        return operation.run();
      },
    }
  );
};
