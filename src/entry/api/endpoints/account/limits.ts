import { limitValues } from '../../../../domains/sales/purchase/purchase.ts';
import { named, nullable, said, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { type LimitValues, limitBody } from '../../../../platform/contract/resources.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';

export const limitSchema = named('Limit', 'A limit on spending, and what has been used of it.', {
  scope: vocabulary<LimitValues['scope']>('Whose limit it is.', {
    key: 'This key’s: what is bought with it counts.',
    partner: 'The account’s: everything it buys counts, with any key, in the panel and by agents.',
  }),
  per: vocabulary<LimitValues['per']>('What it limits. Hours, days and months are those of the calendar in UTC.', {
    order: 'Each order.',
    hour: 'All orders of an hour.',
    day: 'All orders of a day.',
    month: 'All orders of a month.',
  }),
  amount: nullable(said.number('The most that may be spent, in USD; null if it limits the number.')),
  count: nullable(said.integer('The most orders; null if it limits the amount.', 20)),
  used_amount: said.number('What was spent so far, in USD. Failed orders do not count.'),
  used_count: said.integer('Orders so far. Failed ones do not count.'),
  resets_at: nullable(utcTime('When it begins again; null for a limit per order.')),
});

export const limits = endpoint({
  path: '/account/limits',
  verb: 'GET',
  tier: 'read',
  isExtension: true,
  summary: 'The limits on spending that bind this key, with their use',
  about:
    'A purchase beyond one of them is refused with 403 `limit_exceeded`; one that just fits is not. Refunds do not give room back. Owners and developers of the account set the limits of keys in the panel; the operator sets those of the account.',
  reply: Type.Object({
    limits: Type.Array(limitSchema, {
      description: 'The key’s own first, then the account’s; empty if there are none.',
    }),
  }),
  async handle({ world, partnerId, keyId, limits, now }) {
    const uses = await world.checkout.limitUses({ partnerId, keyId, limits, at: new Date(now) });
    return { body: { limits: uses.map((use) => limitBody(limitValues(use))) } };
  },
});
