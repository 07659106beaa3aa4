import type { Catalog } from '../../../../domains/catalog/catalog.ts';
import type { Usage } from '../../../../domains/sales/usage/usage.ts';
import type { usageStates } from '../../../../domains/supply/port/port.ts';
import { type Meanings, named, nullable, said, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { ICCID } from '../../../../platform/contract/ids.ts';
import { usageBody } from '../../../../platform/contract/resources.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { type Described, endpoint } from '../../endpoint.ts';

export const usageMeanings = {
  not_active: 'Not used yet; the days do not count.',
  active: 'In use.',
  depleted: 'All data is used.',
  expired: 'Its time is over.',
} satisfies Meanings<(typeof usageStates)[number]>;

export const usageSchema = named('Usage', 'What is used and left of an eSIM.', {
  iccid: said.text('The number of the eSIM.'),
  sale_id: said.integer('The order that brought it.'),
  title: said.text('Name of the plan.'),
  status: vocabulary('The state of the eSIM.', usageMeanings),
  tone: vocabulary('How to show it.', {
    ok: 'All is well.',
    warning: 'Less than 20 % or less than 2 days are left.',
    danger: 'Depleted or expired.',
  }),
  total_mb: said.integer('Data in all, refills included, in MB.'),
  used_mb: said.integer('Data used, in MB.'),
  remaining_mb: said.integer('Data left, in MB.'),
  percent_remaining: said.integer('Data left in percent, rounded down; 100 for unlimited plans.'),
  is_unlimited: said.boolean('Whether the data is unlimited.'),
  fair_use_text: said.text('The fair-use rule in words; may be empty.', ''),
  activated_at: nullable(utcTime('When it was first used; null: not yet.')),
  expires_at: nullable(utcTime('When it ends; null: not known yet.')),
  days_left: nullable(said.integer('Days until it ends, rounded up; null: not known yet.', 3)),
  fetched_at: utcTime('When these figures were read.'),
});

export const usageView = (found: Usage, catalog: Catalog): Described<typeof usageSchema> =>
  usageBody({ ...found, fairUseText: catalog.byAlias(found.productId)?.fairUse.text ?? '' });

export const usage = endpoint({
  path: '/order/usage',
  verb: 'GET',
  tier: 'read',
  summary: 'Data usage of an eSIM; may be a minute or two old',
  about:
    'A reading is kept for 90 seconds. If the supplier does not answer, the answer is 404 `usage_not_available`, not an old figure.',
  param: { name: 'iccid', missing: 'iccid_required', schema: said.text('The number of the eSIM.') },
  errors: ['usage_not_available'],
  reply: Type.Object({ usage: usageSchema }),
  async handle({ world, partnerId, clock, catalog }, _input, { param: iccid }) {
    // Text that cannot be an ICCID is answered as not found without a query.
    const found = ICCID.test(iccid) ? await world.usage.of(partnerId, iccid, clock) : undefined;
    if (!found) throw fail('usage_not_available');
    return { body: { usage: usageView(found, catalog) } };
  },
});
