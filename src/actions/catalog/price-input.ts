import type { NewRule, RuleScope, ShareTier, ShareTiers } from '../../domains/catalog/prices/prices.ts';
import { type Cents, parseCents } from '../../platform/amounts/cents.ts';
import { parsePercent } from '../../platform/amounts/percent.ts';
import { invalid, the } from '../fields.ts';

/** The `percent` option has accepted the text, so this never throws in practice. */
export const requirePercent = (given: string) => {
  const read = parsePercent(given);
  if (read === undefined) throw invalid`"${given}" is not a percentage`;
  return read;
};

interface RuleInput {
  readonly partner: number | undefined;
  readonly scope: RuleScope;
  readonly target: string;
  readonly share: string | undefined;
  readonly price: Cents | undefined;
}

/** `--price` for a product, `--share` for everything else. */
export function newRule({ partner, scope, target, share, price }: RuleInput): NewRule {
  const of = { partnerId: partner, target };
  if (scope === 'product') {
    if (price === undefined || share !== undefined) throw invalid`a product rule needs ${the('price')}`;
    return { ...of, scope, price };
  }
  if (share === undefined || price !== undefined) throw invalid`a ${scope} rule needs ${the('share')}`;
  return { ...of, scope, share: requirePercent(share) };
}

/** What is not given stays as it is. */
export function wantedTiers(known: ShareTiers, tiers: string | undefined, windowDays = known.windowDays): ShareTiers {
  if (windowDays < 1 || windowDays > 3650) throw invalid`the window must be from 1 to 3650 days long`;
  return { windowDays, tiers: tiers === undefined ? known.tiers : requireTiers(tiers) };
}

/** `1000=10,5000=15` */
function requireTiers(given: string): ShareTier[] {
  if (given === 'none') return [];
  const read = given.split(',').map((pair) => {
    const [min, pct, ...rest] = pair.split('=');
    const tier = { min: parseCents(min ?? ''), share: parsePercent(pct ?? '') };
    if (tier.min === undefined || tier.min < 0n || tier.share === undefined || rest.length > 0)
      throw invalid`"${pair}" is not an amount and a percentage, like 1000=10`;
    return { min: tier.min, share: tier.share };
  });
  const isRising = read.every((tier, i) => i === 0 || tier.min > (read[i - 1] as ShareTier).min);
  if (!isRising) throw invalid`the thresholds must increase`;
  return read;
}
