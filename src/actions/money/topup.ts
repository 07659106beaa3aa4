import { type CheckOutcome, openAmount, type Topup, type Topups } from '../../domains/billing/topups/topups.ts';
import { formatCents, ZERO } from '../../platform/amounts/cents.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action, inUsd } from '../action.ts';
import { choice, integer, required, text } from '../fields.ts';

const paymentKey = required(text('PAYMENT_KEY', 'the top-up'));

export const shownTopup = (topup: Topup) => ({
  ...snaked(topup, 'paymentKey', 'partnerId', 'provider', 'intentId', 'status'),
  ...inUsd(topup, 'amount', 'refunded', 'disputed', 'recovered'),
  /** Went back to the card holder and is not taken from the wallet yet. */
  open_amount: formatCents(topup.status === 'succeeded' ? openAmount(topup, topup) : ZERO),
  mismatch: topup.mismatch,
  created_at: topup.createdAt,
});

export const topupActions = [
  action({
    name: 'topup list',
    console: 'shown',
    summary: 'List card top-ups, newest first',
    options: {
      only: choice(
        ['open', 'failed', 'disputed'],
        'open: unpaid; failed: refused or canceled; disputed: refunded or disputed, or paid in another amount or currency; by default all',
      ),
      partner: integer('PARTNER_ID', 'only of this partner'),
      limit: integer('N', 'at most this many; 50 by default'),
    },
    run: async ({ worlds }, { only, partner, limit }) =>
      (await worlds.live.topups.list({ only, partnerId: partner, limit: limit ?? 50 })).map(shownTopup),
  }),
  action({
    name: 'topup pay',
    console: { never: 'it stands in for a card at the simulated provider' },
    summary: 'Pay a top-up as its card holder would (simulated card provider only)',
    args: { paymentKey },
    async run(context, input) {
      const { worlds, cardProvider, clock } = context;
      const { simulated } = cardProvider;
      if (!simulated) throw new Refused('not_simulated', 'card payments are not simulated here');
      const { topups } = worlds.live;
      const topup = await requireTopup(topups, input.paymentKey, simulated.name);
      if (topup.intentId === null) throw new Refused('topup_not_found');
      // Recorded before the provider is called, so that the attempt is on record whatever its outcome.
      await change(context, 'topup pay', () => ({ target: `topup ${topup.paymentKey}`, result: undefined }));
      const intent = await simulated.pay(topup.intentId);
      if (intent.state !== 'succeeded') throw new Refused('topup_closed');
      await topups.notify({ intentId: intent.id }, clock.now());
      return { payment_key: topup.paymentKey, paid: true };
    },
  }),
  action({
    name: 'topup check',
    console: { may: 'money' },
    summary: 'Check a top-up with the card provider now, and take refunded or disputed money back from the wallet',
    args: { paymentKey },
    async run(context, input) {
      const checked = await context.worlds.live.topups.check(input.paymentKey, context.clock.now());
      if (checked.outcome !== 'checked') throw refusalOf(checked);
      const { before, after } = checked;
      return change(context, 'topup check', () => ({
        target: `topup ${before.paymentKey}`,
        before: shownTopup(before),
        after: shownTopup(after),
        result: shownTopup(after),
      }));
    },
  }),
];

async function requireTopup(topups: Topups, paymentKey: string, provider: string): Promise<Topup> {
  const topup = await topups.find(paymentKey);
  if (!topup) throw refusalOf({ outcome: 'not_found' });
  if (topup.provider !== provider) throw refusalOf({ outcome: 'other_provider', provider: topup.provider });
  return topup;
}

function refusalOf(checked: Exclude<CheckOutcome, { outcome: 'checked' }>): Refused {
  switch (checked.outcome) {
    case 'not_found':
      return new Refused('topup_not_found');
    case 'off':
      return new Refused('topup_not_available');
    case 'other_provider':
      return new Refused('other_provider', `the top-up belongs to the provider ${checked.provider}`);
    case 'provider_failed':
      return new Refused('provider_failed', checked.reason);
  }
}
