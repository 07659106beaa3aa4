import { LRUCache } from 'lru-cache';
import { type Clock, SECOND } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { aheadOfRealTime } from '../../../platform/db/query/account-time.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import type { MailedEsim } from '../../messages/mail/mail.ts';
import { formatsOf, type Language, languages } from '../../messages/texts/texts.ts';
import type { SoldEsim } from '../../sales/esims/esims.ts';
import { esimCodes } from '../../sales/orders/orders.ts';
import type { Usage, UsageDesk, UsageFigures } from '../../sales/usage/usage.ts';
import type { Esim } from '../../supply/port/port.ts';
import { type Brand, brandColumns, brandOf } from '../brand/brand.ts';
import { isShown, type NamedLink, soldAndShown } from './links.ts';

/** The last figures we have, refills included. */
export type LastUsage = UsageFigures & Pick<Usage, 'isUnlimited' | 'expiresAt' | 'fetchedAt'>;

type OfSold =
  | 'orderId'
  | 'partnerId'
  | 'reference'
  | 'productId'
  | 'productTitle'
  | 'day'
  | 'isUnlimited'
  | 'countryCode'
  | 'refills';

/** Everything a traveller's page shows. */
export interface SharedEsim extends Pick<SoldEsim, OfSold> {
  /** The order whose link it is: another one, if the eSIM replaced that order's. */
  readonly linkedOrderId: bigint;
  /** Data and days of the plan and its refills together; 0 MB for unlimited plans. */
  readonly planMb: number;
  /** Whether it is on a phone, as far as its supplier says; one that was used is. */
  readonly isInstalled: boolean;
  /** Its service is switched off at its supplier. */
  readonly isSuspended: boolean;
  /** Whether its partner offers refills that can be added to it now. */
  readonly takesRefills: boolean;
  readonly esim: Esim;
  /** Null: never read. */
  readonly usage: LastUsage | null;
  /** How far the account's clock is ahead of real time. */
  readonly aheadMs: number;
  readonly brand: Brand;
  /** It only exists for testing and cannot be installed. */
  readonly isTest: boolean;
}

/** Its data and days are those of the plan alone. */
type Found = Omit<SharedEsim, 'usage' | 'isTest' | 'refills' | 'takesRefills' | 'isInstalled' | 'isSuspended'>;
interface Sealed {
  readonly sealed: Buffer;
  readonly key: Buffer | null;
  readonly iccid: string;
}
type Row = Omit<Found, 'esim' | 'brand'> & Parameters<typeof brandOf>[0] & Sealed;

/** In one round trip: the order with its eSIM, and the partner's brand, if this link to it still works: it ends when the code is destroyed. */
export async function findShared(
  db: Db,
  vault: Vault,
  { orderId, generation }: Pick<NamedLink, 'orderId' | 'generation'>,
): Promise<Found | undefined> {
  const row = await db.maybe<Row>(sql`
    select orders.id as "orderId", sold.id as "linkedOrderId", orders.partner_id as "partnerId", orders.reference,
      orders.product_id as "productId",
      orders.product_title as "productTitle", orders.amount_mb as "planMb", orders.day, orders.is_unlimited as "isUnlimited",
      orders.country_code as "countryCode", orders.esim as sealed, ${esimCodes.keyOfOrder} as key, orders.iccid,
      extract(epoch from ${aheadOfRealTime(sql`orders.partner_id`)})::float8 * 1000 as "aheadMs", ${brandColumns}
    from ${soldAndShown}
      left join traveller_links on traveller_links.order_id = sold.id
      left join brands on brands.partner_id = orders.partner_id
    where sold.id = ${orderId} and ${isShown}
      and coalesce(traveller_links.generation, 0) = ${generation} and traveller_links.revoked_at is null`);
  if (!row) return undefined;
  const { sealed, key, iccid, displayName, color, supportUrl, refillUrl, allowsReplacement, logo, logoType, ...order } =
    row;
  const esim = esimCodes.opened(vault, { sealed, key }, iccid);
  if (esim.erased) return undefined;
  const brand = brandOf({ displayName, color, supportUrl, refillUrl, allowsReplacement, logo, logoType });
  return { ...order, esim, brand };
}

/** An eSIM as the mail that brings its page shows it: as the page itself does. `titleOf` knows places that are neither a country nor one of our regions. */
export function mailedEsim(
  { countryCode, productTitle, refills, isUnlimited, planMb, day, esim, isTest }: Omit<SharedEsim, 'takesRefills'>,
  language: Language,
  titleOf: (code: string) => string | undefined,
): MailedEsim {
  const formats = formatsOf(language);
  const { activationCode, confirmationCode } = esim;
  return {
    place: formats.place(countryCode) ?? titleOf(countryCode) ?? countryCode,
    title: refills === 0 ? productTitle : null,
    data: isUnlimited ? languages[language].unlimited : formats.data(planMb),
    days: formats.days(day),
    ...{ activationCode, confirmationCode, isTest },
  };
}

/** One link makes a process ask for its eSIM's usage once in this time, also while the supplier does not answer. */
const ASK_EVERY_MS = 90 * SECOND;
/** eSIMs whose usage all pages of a process ask for at the same time; further pages show the last figures. */
const ASK_AT_ONCE = 4;
/** Counted as a size: a cache with a `max` takes the memory of all of them when it is made. */
const MAX_REMEMBERED = 50_000;

/**
 * Anyone can open a page as often as they like, and must not be able to use up what a supplier allows us. Readings themselves are
 * fresh for 90 seconds and asked for once at a time (`domains/sales/usage/usage.ts`); here we limit what happens when none comes back, and how
 * much of a supplier's time all pages together may take.
 */
export function freshUsage(usage: UsageDesk, clock: Clock): (of: SharedEsim) => Promise<LastUsage | null> {
  const lastTriedAt = new LRUCache<string, number>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });
  let asking = 0;
  return async ({ orderId, partnerId, esim: { iccid }, aheadMs, usage: last }) => {
    const now = clock.now();
    if (asking >= ASK_AT_ONCE || now - (lastTriedAt.get(iccid) ?? 0) < ASK_EVERY_MS) return last;
    lastTriedAt.set(iccid, now);
    asking += 1;
    try {
      const read = await usage.of(partnerId, iccid, { now: () => clock.now() + aheadMs });
      // An ICCID that its supplier has used again is read for its latest order.
      return read?.orderId === orderId ? read : last;
    } finally {
      asking -= 1;
    }
  };
}
