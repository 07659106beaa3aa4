import type { Mode } from '../../platform/contract/mode.ts';
import type { Db } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/query/sql.ts';
import type { Services } from '../../platform/start/services.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Esims } from '../sales/esims/esims.ts';
import { type UsageDesk, usageOf } from '../sales/usage/usage.ts';
import type { ProfileState } from '../supply/port/port.ts';
import { decide, isWorthReplacing, steps, symptoms } from './help/decision.ts';
import { MAX_MESSAGE } from './help/help.ts';
import { closeRequest, lockRequest, requestStates, saveAnswer } from './help/requests.ts';
import { countVisits } from './links/counts.ts';
import { findLink, isShown, linkAddress, type NamedLink, soldAndShown, type TravellerLink } from './links/links.ts';
import { findShared, freshUsage, type SharedEsim } from './links/shared-esim.ts';

/** The page a partner sends to a traveller: its links, what it shows, and the partner's brand on it. */
export {
  type Brand,
  findBrand,
  refillLink,
  requireColor,
  requireName,
  requireRefillUrl,
  requireSupportUrl,
  saveBrand,
} from './brand/brand.ts';
export { MAX_LOGO_BYTES, requireLogo } from './brand/logo.ts';
export type { HelpFacts } from './help/decision.ts';
export { createHelpDesk, type HelpDesk } from './help/help.ts';
export type { HelpRequest, KnownFacts } from './help/requests.ts';
export {
  findLink,
  lockTravellerMails,
  readLinkToken,
  renewLink,
  revokeLink,
  type TravellerLink,
} from './links/links.ts';
export { type LastUsage, mailedEsim, type SharedEsim } from './links/shared-esim.ts';

/** What is answered to a traveller whose eSIM does not work. */
export const helpTable = { symptoms, steps, decide, isWorthReplacing } as const;

/** Requests for help, for those who answer them. */
export const helpRequests = {
  states: requestStates,
  maxMessage: MAX_MESSAGE,
  lock: lockRequest,
  saveAnswer,
  close: closeRequest,
} as const;

/** What a supplier calls the profile of an eSIM that is on a phone. */
const onPhone: readonly ProfileState[] = ['installed', 'enabled', 'disabled'];

/** The pages of one world. */
export type TravellerLinks = ReturnType<typeof createTravellerLinks>;

/** The part of a world its pages need. */
interface LinkWorld {
  readonly schema: Mode;
  readonly db: Db;
  readonly esims: Pick<Esims, 'find' | 'refillsOf'>;
  readonly usage: UsageDesk;
  readonly linkTerms: Pick<SharedEsim, 'isTest'>;
}

interface LinkParts extends Pick<Services, 'vault' | 'clock' | 'log'> {
  readonly panelUrl: URL;
}

export function createTravellerLinks(world: LinkWorld, { vault, panelUrl, clock, log }: LinkParts) {
  const { db, schema, esims, linkTerms } = world;

  /** The address of a link that works. */
  const addressOf = ({ orderId, generation }: Pick<TravellerLink, 'orderId' | 'generation'>): string =>
    linkAddress(vault, panelUrl, { schema, orderId, generation });

  /** In one round trip. Orders without a page are missing. */
  async function urlsOf(orderIds: readonly bigint[]): Promise<Map<bigint, string>> {
    if (orderIds.length === 0) return new Map();
    const links = await db.query<{ orderId: bigint; generation: number }>(sql`
      select sold.id as "orderId", coalesce(generation, 0) as generation
      from ${soldAndShown} left join traveller_links on order_id = sold.id
      where sold.id = any(${orderIds}::bigint[]) and ${isShown} and revoked_at is null`);
    return new Map(links.map((link) => [link.orderId, addressOf(link)]));
  }

  /** What was sold, with what was refilled since. */
  async function read(link: Pick<NamedLink, 'orderId' | 'generation'>) {
    const found = await findShared(db, vault, link);
    if (!found) return undefined;
    const now = clock.now() + found.aheadMs;
    const sold = await esims.find(found.partnerId, found.esim.iccid, now);
    // An ICCID that its supplier has used again is read for its latest order.
    if (sold?.orderId !== found.orderId)
      return { shown: { ...found, ...linkTerms, refills: 0, usage: null, isInstalled: false, isSuspended: false } };
    const { reading, amountMb: planMb, day, isUnlimited, refills } = sold;
    const usage = reading ? usageOf(sold, reading, now) : null;
    const isInstalled = (usage !== null && usage.status !== 'not_active') || onPhone.includes(sold.profile.state);
    const isSuspended = sold.state === 'suspended';
    return {
      shown: { ...found, ...linkTerms, planMb, day, isUnlimited, refills, usage, isInstalled, isSuspended },
      sold,
    };
  }

  return {
    urlsOf,
    addressOf,
    /** Address of the page of an order's eSIM. Undefined: not delivered, refunded, withdrawn, revoked, or a refill. */
    urlOf: async ({ id }: { readonly id: bigint }) => (await urlsOf([id])).get(id),
    /** What the page at a link shows, with the last usage we have. The caller has verified the link's signature. */
    async open(link: Pick<NamedLink, 'orderId' | 'generation'>, catalog: Catalog): Promise<SharedEsim | undefined> {
      const found = await read(link);
      if (!found) return undefined;
      const { shown, sold } = found;
      const isAlive = sold && sold.state !== 'expired' && sold.state !== 'cancelled';
      const isOffered = isAlive && shown.brand.refillUrl !== '';
      return { ...shown, takesRefills: isOffered === true && (await esims.refillsOf(catalog, sold)).length > 0 };
    },
    /** What the mail that brings the page shows of the eSIM. Undefined: the order has no page. */
    async forMail(orderId: bigint): Promise<Omit<SharedEsim, 'takesRefills'> | undefined> {
      const link = await findLink(db, orderId);
      return (await read(link))?.shown;
    },
    /** Usage, renewed no more often than strangers may cause. */
    freshUsage: freshUsage(world.usage, clock),
    /** Throws `order_not_found`. */
    link: (orderId: bigint) => findLink(db, orderId),
    visits: countVisits(db, log),
  };
}
