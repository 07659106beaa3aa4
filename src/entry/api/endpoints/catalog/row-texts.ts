import type { Plan } from '../../../../domains/catalog/catalog.ts';
import type { PartnerPrice } from '../../../../domains/catalog/prices/prices.ts';
import type { Slices } from '../../../../platform/limits/slices.ts';
import { productText } from './rows.ts';

/** Longer texts would land in the old generation, which is collected rarely, and memory would grow until then. */
const LONGEST_TEXT = 32 * 1024;

/** Product rows as the inside of a JSON list, in texts of some 40 rows. */
export async function* rowTexts(
  plans: readonly Plan[],
  priceOf: (plan: Plan) => PartnerPrice,
  slices: Slices,
): AsyncGenerator<string> {
  let text = '';
  await slices.turn();
  for (const [i, plan] of plans.entries()) {
    text += (i === 0 ? '' : ',') + productText(plan, priceOf(plan));
    const isOver = slices.isOver();
    if (!isOver && text.length < LONGEST_TEXT) continue;
    yield text;
    text = '';
    if (isOver) await slices.turn();
  }
  yield text;
}
