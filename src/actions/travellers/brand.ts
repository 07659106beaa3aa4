import { createHash } from 'node:crypto';
import { findPartner, requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import {
  type Brand,
  findBrand,
  requireColor,
  requireLogo,
  requireName,
  requireRefillUrl,
  requireSupportUrl,
  saveBrand,
} from '../../domains/travellers/travellers.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { hasSiteAddress } from '../../platform/contract/site-address.ts';
import type { Actor } from '../actor.ts';

/** As the form sends it: texts as typed. */
interface BrandTexts {
  readonly displayName: string;
  readonly color: string;
  readonly supportUrl: string;
  /** Undefined: as it is. */
  readonly refillUrl: string | undefined;
  /** The same. */
  readonly allowsReplacement: boolean | undefined;
}

export interface BrandForm extends BrandTexts {
  /** A new file, none, or (undefined) the logo as it is. */
  readonly logo: Buffer | null | undefined;
}

/** The brand a form describes, checked and made safe. What the form leaves out is taken from `kept`. */
export const brandFrom = (form: BrandTexts, logo: Brand['logo'] | undefined, kept: Brand): Brand => ({
  displayName: requireName(form.displayName),
  color: requireColor(form.color),
  supportUrl: requireSupportUrl(form.supportUrl),
  refillUrl: form.refillUrl === undefined ? kept.refillUrl : requireRefillUrl(form.refillUrl),
  allowsReplacement: form.allowsReplacement ?? kept.allowsReplacement,
  logo: logo === undefined ? kept.logo : logo,
});

export async function setBrand(actor: Actor, partnerId: number, form: BrandForm): Promise<Brand> {
  // Unpacking a picture takes a while, so it is done before the transaction.
  const logo = form.logo && (await requireLogo(form.logo));
  return change(actor, 'brand set', async (tx) => {
    await requireOpenPartner(tx, partnerId);
    const before = await findBrand(tx, partnerId);
    const after = brandFrom(form, logo, before);
    if (hasSiteAddress(after.displayName) && !(await findPartner(tx, partnerId)).isLive)
      throw new Refused('invalid_name', 'until live is open, the display name must not hold a website address');
    await saveBrand(tx, partnerId, after);
    return { target: `partner ${partnerId}`, before: shown(before), after: shown(after), result: after };
  });
}

/** The log gets the logo's fingerprint, not the logo. */
const shown = ({ displayName, color, supportUrl, refillUrl, allowsReplacement, logo }: Brand) => ({
  display_name: displayName,
  color,
  support_url: supportUrl,
  refill_url: refillUrl,
  allows_replacement: allowsReplacement,
  logo: logo && createHash('sha256').update(logo.bytes).digest('hex').slice(0, 16),
});
