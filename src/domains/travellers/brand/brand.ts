import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { LOGO_TYPES, type Logo } from './logo.ts';

/** What a partner's pages for travellers carry. Empty texts and null: not set. */
export interface Brand {
  readonly displayName: string;
  /** `#rrggbb` */
  readonly color: string | null;
  /** `https:` or `mailto:` */
  readonly supportUrl: string;
  /** `https:`, where travellers buy more data; `{iccid}` stands for the number of their eSIM. */
  readonly refillUrl: string;
  /** Travellers may replace an eSIM that never worked, without asking. */
  readonly allowsReplacement: boolean;
  readonly logo: Logo | null;
}

const NO_BRAND: Brand = {
  displayName: '',
  color: null,
  supportUrl: '',
  refillUrl: '',
  allowsReplacement: false,
  logo: null,
};

const MAX_NAME_LENGTH = 60;
const MAX_URL_LENGTH = 300;

interface Row extends Omit<Brand, 'logo'> {
  readonly logo: Buffer | null;
  readonly logoType: string | null;
}

/** For a statement that reads `brands`; all of them null when the partner has none. */
export const brandColumns = sql`
  display_name as "displayName", color, support_url as "supportUrl", refill_url as "refillUrl",
  allows_replacement as "allowsReplacement", logo, logo_type as "logoType"`;

export function brandOf(row: { readonly [K in keyof Row]: Row[K] | null }): Brand {
  const { displayName, color, supportUrl, refillUrl, allowsReplacement, logo: bytes, logoType } = row;
  // SVG logos stored by an earlier version are not shown.
  const type = LOGO_TYPES.find((known) => known === logoType);
  return {
    displayName: displayName ?? '',
    color,
    supportUrl: supportUrl ?? '',
    refillUrl: refillUrl ?? '',
    allowsReplacement: allowsReplacement ?? false,
    logo: bytes && type ? { bytes, type } : null,
  };
}

export async function findBrand(db: Queryable, partnerId: number): Promise<Brand> {
  const row = await db.maybe<Row>(sql`select ${brandColumns} from shared.brands where partner_id = ${partnerId}`);
  return row ? brandOf(row) : NO_BRAND;
}

export async function saveBrand(tx: Tx, partnerId: number, brand: Brand): Promise<void> {
  const { displayName, color, supportUrl, refillUrl, allowsReplacement, logo } = brand;
  await tx.run(sql`
    insert into shared.brands (partner_id, display_name, color, support_url, refill_url, allows_replacement, logo, logo_type)
    values (${partnerId}, ${displayName}, ${color}, ${supportUrl}, ${refillUrl}, ${allowsReplacement}, ${logo?.bytes ?? null},
      ${logo?.type ?? null})
    on conflict (partner_id) do update set display_name = excluded.display_name, color = excluded.color,
      support_url = excluded.support_url, refill_url = excluded.refill_url,
      allows_replacement = excluded.allows_replacement, logo = excluded.logo, logo_type = excluded.logo_type`);
}

export function requireName(given: string): string {
  const name = given.trim().normalize();
  if (name.length > MAX_NAME_LENGTH)
    throw new Refused('name_too_long', `the name may have at most ${MAX_NAME_LENGTH} characters`);
  // Control and invisible characters could turn the text around or hide part of it. A joiner belongs to some scripts and emoji.
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(name.replaceAll(/[\u200c\u200d]/g, '')))
    throw new Refused('invalid_name', 'the name holds characters that cannot be shown');
  return name;
}

export function requireColor(given: string): string | null {
  const color = given.trim().toLowerCase();
  if (color === '') return null;
  if (!/^#[0-9a-f]{6}$/.test(color)) throw new Refused('invalid_color');
  return color;
}

const isLink = (url: URL): boolean => url.protocol === 'https:' && url.username === '' && url.password === '';

/** Written as the browser will read it, so that nothing is hidden in the spelling. */
export function requireSupportUrl(given: string): string {
  const text = given.trim();
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isMail = url?.protocol === 'mailto:' && /^[^\s@?&%]+@[^\s@?&%]+$/.test(url.pathname) && url.search === '';
  if (!url || !(isLink(url) || isMail) || url.href.length > MAX_URL_LENGTH) throw new Refused('invalid_support_url');
  return url.href;
}

const ICCID = '{iccid}';
/** Stands for it while the address is parsed, which would encode the braces. */
const MARK = 'iccid-goes-here';

/** The same for an address with `{iccid}` in its path, its query or after `#`. Its host is the same for every eSIM. */
export function requireRefillUrl(given: string): string {
  const text = given.trim().replaceAll(ICCID, MARK);
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refillUrl = url?.href.replaceAll(MARK, ICCID) ?? '';
  if (!url || !isLink(url) || url.host.includes(MARK) || refillUrl.length > MAX_URL_LENGTH)
    throw new Refused('invalid_refill_url');
  return refillUrl;
}

/** Where more data for this eSIM is bought. An address without a place for its number gets it as a parameter. */
export function refillLink(refillUrl: string, iccid: string): string {
  if (refillUrl.includes(ICCID)) return refillUrl.replaceAll(ICCID, encodeURIComponent(iccid));
  const url = new URL(refillUrl);
  url.searchParams.append('iccid', iccid);
  return url.href;
}
