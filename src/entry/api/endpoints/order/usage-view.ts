import type { Catalog } from '../../../../domains/catalog/catalog.ts';
import type { Usage } from '../../../../domains/sales/usage/usage.ts';
import type { usageStates } from '../../../../domains/supply/port/port.ts';
import { type Meanings, named, nullable, said, utcTime, vocabulary } from '../../../../platform/contract/described.ts';
import { usageBody } from '../../../../platform/contract/resources.ts';
import type { Described } from '../../endpoint.ts';

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
