import { randomBytes } from 'node:crypto';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/start/services.ts';
import type { Plan } from '../../catalog/catalog.ts';
import type { HelpEvent } from '../../messages/events/events.ts';
import type { Language } from '../../messages/texts/texts.ts';
import type { Webhooks } from '../../messages/webhooks/webhooks.ts';
import { coveredBy, type Esims } from '../../sales/esims/esims.ts';
import type { Replacements } from '../../sales/replacements/replacements.ts';
import { usageOf } from '../../sales/usage/usage.ts';
import type { SharedEsim } from '../links/shared-esim.ts';
import { decide, type HelpFacts, type Symptom } from './decision.ts';
import {
  countOpenRequests,
  findRequest,
  insertRequest,
  type KnownFacts,
  listRequests,
  type RequestPage,
  type Written,
} from './requests.ts';

/** Characters a traveller can write. */
export const MAX_MESSAGE = 1_000;
const PURPOSE = 'help form';
const REASON = 'The traveller asked for it on the page of the eSIM.';
const FORM = /^([\w-]{22})\.([0-9a-f]{64})$/;

/** "It doesn't work" in one world: what is known of an eSIM, and the requests for help of its travellers. */
export type HelpDesk = ReturnType<typeof createHelpDesk>;

interface Asked {
  readonly shows: Symptom;
  /** The traveller has to enter an APN. */
  readonly needsApn: boolean;
  /** Undefined: no longer on sale. */
  readonly plan: Plan | undefined;
}

interface WantedHelp {
  readonly facts: KnownFacts;
  /** Names the form. */
  readonly form: string;
  readonly language: Language;
  readonly written: Written;
}

/** The part of a world that help needs. */
interface HelpWorld {
  readonly schema: Mode;
  readonly db: Db;
  readonly esims: Pick<Esims, 'find'>;
  readonly webhooks: Pick<Webhooks, 'publish'>;
  readonly replacements: Pick<Replacements, 'request' | 'ofOrder'>;
  readonly helpTerms: {
    /** Whether a supplier has not answered for a while. */
    isSupplierDown(supplier: string, now: number): Promise<boolean>;
  };
}

const replaceOutcomes = {
  requested: 'replaceRequested',
  pending: 'wait',
  replaced: 'replaced',
  rejected: 'notReplaced',
} as const;

export function createHelpDesk(
  { schema, db, esims, webhooks, replacements, helpTerms }: HelpWorld,
  { clock, vault }: Pick<Services, 'clock' | 'vault'>,
) {
  const signed = ({ orderId }: SharedEsim, name: string): string => `${schema} ${orderId} ${name}`;
  return {
    /** A value for a new form of this eSIM's page. */
    newForm(shared: SharedEsim): string {
      const name = randomBytes(16).toString('base64url');
      return `${name}.${vault.sign(PURPOSE, signed(shared, name))}`;
    },
    /** The name of the form; undefined: it is not a form of this eSIM's page. */
    readForm(shared: SharedEsim, value: string): string | undefined {
      const [, name = '', signature = ''] = FORM.exec(value) ?? [];
      return name !== '' && vault.verify(PURPOSE, signed(shared, name), signature) ? name : undefined;
    },

    /** What we know now. No supplier is called. */
    async look(shared: SharedEsim, { shows, needsApn, plan }: Asked): Promise<KnownFacts> {
      const { partnerId, orderId, aheadMs } = shared;
      const { iccid } = shared.esim;
      const now = clock.now() + aheadMs;
      const sold = await esims.find(partnerId, iccid, now);
      // An ICCID that its supplier has used again says nothing of this order.
      if (sold?.orderId !== orderId) return { ...nothingKnown, shows, needsApn };
      const { reading, profile, isUnlimited, isSuspended, state, supplier } = sold;
      const usage = reading && usageOf(sold, reading, now);
      const wasUsed = usage !== null && (usage.usedMb > 0 || usage.status === 'active' || usage.status === 'depleted');
      return {
        shows,
        needsApn,
        isSuspended,
        wasUsed,
        isDelivered: (await replacements.ofOrder(orderId))?.status !== 'pending',
        hasEnded: state === 'expired' || state === 'cancelled' || usage?.status === 'expired',
        profile: knownProfile(profile.state, wasUsed),
        isCovered: coveredBy(plan, profile.country),
        hasDataLeft: isUnlimited || usage?.status !== 'depleted',
        isSupplierDown: await helpTerms.isSupplierDown(supplier, clock.now()),
        country: profile.country,
        remainingMb: usage && !isUnlimited ? usage.remainingMb : null,
        endsAt: usage?.expiresAt?.toISOString() ?? null,
      };
    },

    /** Records a request and publishes its event. Sending the same form again changes nothing. */
    async request(shared: SharedEsim, { facts, form, language, written }: WantedHelp): Promise<'sent' | 'limit'> {
      const { partnerId, orderId, reference, aheadMs } = shared;
      const { iccid } = shared.esim;
      const at = new Date(clock.now() + aheadMs);
      const step = decide(facts);
      return db.tx(async (tx) => {
        const sent = { partnerId, orderId, iccid, form, language, step, facts, written, at };
        const outcome = await insertRequest(tx, vault, sent);
        if (outcome === 'known') return 'sent';
        if (outcome === 'limit') return 'limit';
        const event: HelpEvent = {
          ...{ partnerId, orderId, reference, iccid, n: outcome.n, occurredAt: at.getTime() },
          event: 'esim.help_requested',
          help: { id: outcome.id, language, step, ...written, facts },
        };
        // An account whose queue is full still finds the request in its inbox.
        await webhooks.publish(tx, [event]);
        return 'sent';
      });
    },

    /** Replaces the eSIM by a new one. The caller has checked that its traveller may do so. */
    async replace(
      { partnerId, orderId, esim: { iccid }, aheadMs }: SharedEsim,
      by: Pick<Parameters<Replacements['request']>[0], 'routes' | 'budget'>,
    ) {
      const time = { now: () => clock.now() + aheadMs };
      // The same key for all requests of an eSIM: tapping twice replaces once.
      const wanted = {
        partnerId,
        iccid,
        key: `help:${orderId}`,
        reason: REASON,
        at: new Date(time.now()),
        clock: time,
      };
      const replaced = await replacements.request({ ...wanted, ...by, by: 'traveller' });
      return replaced.outcome === 'replacement' ? replaceOutcomes[replaced.replacement.status] : 'notReplaced';
    },

    /** Newest first. */
    list: (partnerId: number, page: RequestPage) => listRequests(db, vault, partnerId, page),
    /** How many wait for an answer. */
    open: (partnerId: number) => countOpenRequests(db, partnerId),
    /** Throws `help_request_not_found`. */
    find: (id: bigint) => findRequest(db, vault, id),
  };
}

/** What was used has been on a phone, whatever the supplier said last. */
const knownProfile = (state: HelpFacts['profile'], wasUsed: boolean): HelpFacts['profile'] =>
  wasUsed && (state === 'released' || state === 'downloaded') ? 'unknown' : state;

const nothingKnown: Omit<KnownFacts, 'shows' | 'needsApn'> = {
  ...{ isDelivered: true, hasEnded: false, isSuspended: false, wasUsed: false, isSupplierDown: false },
  ...{ isCovered: null, hasDataLeft: true, country: null, remainingMb: null, endsAt: null },
  profile: 'unknown',
};
