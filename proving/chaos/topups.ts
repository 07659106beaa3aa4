import type { WorldName } from './model.ts';
import type { Topup } from './records.ts';
import { type Draw, definite, insist, keyOf, type Scene, settled } from './scene.ts';
import { requireThat } from './violation.ts';

export const startTopup: Draw = (scene) => {
  const { dice, model, site } = scene;
  const world: WorldName = dice.chance(60) ? 'live' : 'sandbox';
  const partner = dice.of(model.partners);
  const amount = 1_000 + dice.below(5_000);
  return {
    label: `${partner.id} starts a top-up of ${amount} cents in ${world}`,
    beside: [`calm sandbox ${partner.id}`],
    async run() {
      const form = { amount: (amount / 100).toFixed(2) };
      const answer = definite(
        scene,
        await site.call(world, keyOf(partner, world).key, '/account/topup', form),
        'a top-up',
      );
      // A lost answer leaves an intent that cannot be paid.
      if (!answer) return;
      requireThat(answer.status === 200, 'a top-up was refused', answer.body);
      const { payment_key: key, client_secret: secret, status } = answer.body;
      site.secrets.add(secret);
      requireThat(
        status === (world === 'live' ? 'requires_payment' : 'requires_confirmation'),
        'top-up status',
        status,
      );
      const paid = world === 'live' ? 'no' : 'yes';
      model.topups.set(key, { key, world, partner, amount, paid, credited: false });
    },
  };
};

function someTopup({ dice, model }: Scene, fits: (topup: Topup) => boolean): Topup | undefined {
  const fitting = [...model.topups.values()].filter(fits);
  return fitting.length === 0 ? undefined : dice.of(fitting);
}

/** The card holder's part, at the simulated provider. From then on the job may credit it, asked or not. */
export const payTopup: Draw = (scene) => {
  const topup = someTopup(scene, ({ world, paid }) => world === 'live' && paid === 'no');
  if (!topup) return undefined;
  return {
    label: `topup pay ${topup.key}`,
    async run() {
      topup.paid = 'perhaps';
      const ask = async () => {
        const ended = settled(scene, await scene.site.operator('topup', 'pay', topup.key), 'topup pay');
        if (ended?.outcome === 'done') topup.paid = 'yes';
        requireThat(ended?.outcome !== 'refused', 'topup pay was refused', ended);
        return ended;
      };
      if (!(await ask())) scene.later(() => insist('topup pay', ask).then(() => {}));
    },
  };
};

/** Confirmed once or several times at once: credited when it was paid, and never twice. */
export const confirmTopup: Draw = (scene) => {
  const topup = someTopup(scene, ({ credited }) => !credited || scene.dice.chance(20));
  if (!topup) return undefined;
  const { world, partner, key, amount } = topup;
  const copies = scene.dice.of([1, 1, 2, 4]);
  return {
    label: `${partner.id} confirms ${key} ${copies} × at once`,
    beside: [`calm sandbox ${partner.id}`, `sandbox ${partner.id}`],
    async run() {
      await Promise.all(
        Array.from({ length: copies }, async () => {
          const wasPaid = topup.paid;
          const form = { payment_key: key };
          const lost = await scene.site.call(world, keyOf(partner, world).key, '/account/topupConfirm', form);
          const answer = definite(scene, lost, 'a confirmation');
          if (!answer) return;
          if (answer.status === 200) {
            requireThat(topup.paid !== 'no', 'an unpaid top-up was confirmed', answer.body);
            requireThat(answer.body.status === 'succeeded', 'a confirmed top-up is not succeeded', answer.body);
            if (!topup.credited) (world === 'live' ? partner.wallet : partner.sandbox).add(amount);
            topup.credited = true;
          } else {
            const { error } = answer.body;
            const full = error === 'balance_out_of_range' && world === 'sandbox' && !topup.credited;
            requireThat(full || error === 'topup_confirm_failed', 'a confirmation was refused', answer.body);
            requireThat(full || wasPaid !== 'yes', 'a paid top-up was not confirmed', answer.body);
          }
        }),
      );
    },
  };
};
