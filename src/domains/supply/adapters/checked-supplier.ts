import { MICROS_PER_CENT, type Micros } from '../../../platform/amounts/cents.ts';
import { isPassing } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/start/services.ts';
import { HIGHEST_PRICE } from '../../catalog/import-format/import-format.ts';
import {
  type Absent,
  type BalanceAnswer,
  checkEsim,
  checkProfile,
  type EsimReference,
  type OrderAnswer,
  type Supplier,
  type SwitchAnswer,
  type UsageAnswer,
  type UsageReading,
  usageStates,
} from '../port/port.ts';
import { openAlarm } from './connection.ts';

/*
 * The gate between suppliers and everything else. Whatever an adapter has understood from its supplier comes through here (the
 * registry hands out no other), so that no answer can break an order, a page or a sum, and a new adapter needs no checks of its own.
 *
 * A delivery that cannot be right is `held`: the eSIM may have been bought, so the order is neither placed again nor refunded before
 * a person has looked. What a delivery can do without (a price, a phone number) is left out. A reading or a balance that cannot be
 * right counts as none; of a profile, the part that cannot be right. Lists are checked row by row when they are imported (domains/catalog/import/import-check.ts). The operator is told in each
 * case, in our own words: values of a supplier do not go into the log.
 */

const HIGHEST_COST = HIGHEST_PRICE * MICROS_PER_CENT;
/** A billion dollars, in micros. */
const HIGHEST_BALANCE = 10n ** 15n;
/** A petabyte, which fits the column. */
const MOST_MB = 1_000_000_000;
const FIRST_DAY = Date.UTC(2000, 0, 1);
const LAST_DAY = Date.UTC(2100, 0, 1);
const LONGEST_REASON = 200;
/** Their number of an order: one line of text. */
const ORDER_NUMBER = /^[^\p{Cc}\p{Cf}\p{Cs}<>"]{1,200}$/u;

export function checkedSupplier(supplier: Supplier, { clock, log }: Pick<Services, 'clock' | 'log'>): Supplier {
  const { withdraw, suspend, resume, balance } = supplier;
  const alarm = openAlarm(supplier.name, 'a supplier sent what cannot be right; it was not used', { clock, log });

  /** Adapters never throw. One that does has met an answer its author did not expect. */
  async function answered<A>(call: string, ask: () => Promise<A>, otherwise: A): Promise<A> {
    try {
      return await ask();
    } catch (error) {
      // The database is away, which says nothing about the supplier.
      if (isPassing(error)) throw error;
      log.error({ err: error, supplier: supplier.name, call }, 'an adapter failed at an answer of its supplier');
      return otherwise;
    }
  }
  const failed = { reason: 'its adapter failed at the answer' };

  type Switch = NonNullable<Supplier['suspend']>;
  const switched = (name: string, call: Switch) => async (esim: EsimReference, limitMs: number) =>
    plain(await answered<SwitchAnswer>(name, () => call(esim, limitMs), { outcome: 'unavailable', ...failed }));

  return {
    ...supplier,
    async order(order, limitMs) {
      const ask = () => supplier.order(order, limitMs);
      return checkedOrder<never>(await answered<OrderAnswer>('order', ask, { outcome: 'unknown', ...failed }), alarm);
    },
    async find(order, limitMs) {
      const ask = () => supplier.find(order, limitMs);
      return checkedOrder(
        await answered<OrderAnswer | Absent>('find', ask, { outcome: 'unavailable', ...failed }),
        alarm,
      );
    },
    async usage(esim, limitMs) {
      const ask = () => supplier.usage(esim, limitMs);
      return checkedUsage(await answered<UsageAnswer>('usage', ask, { outcome: 'unavailable', ...failed }), alarm);
    },
    ...(withdraw && {
      async withdraw(esim, limitMs) {
        const answer = await answered('withdraw', () => withdraw(esim, limitMs), { outcome: 'unavailable', ...failed });
        return plain(answer);
      },
    }),
    ...(suspend && { suspend: switched('suspend', suspend) }),
    ...(resume && { resume: switched('resume', resume) }),
    ...(balance && {
      async balance(limitMs) {
        const ask = () => balance(limitMs);
        return checkedBalance(
          await answered<BalanceAnswer>('balance', ask, { outcome: 'unavailable', ...failed }),
          alarm,
        );
      },
    }),
  } satisfies Supplier;
}

type Alarm = (reason: string) => void;

/** Reasons are logged, stored and shown to operators. */
function plain<A extends { readonly outcome: string }>(answer: A): A {
  if (!('reason' in answer)) return answer;
  const reason = String(answer.reason).slice(0, LONGEST_REASON).toWellFormed();
  return { ...answer, reason: reason.replaceAll(/\p{Cc}/gu, ' ') };
}

function checkedOrder<A extends Absent>(answer: OrderAnswer | A, alarm: Alarm): OrderAnswer | A {
  if (!('supplierOrder' in answer)) return plain(answer);
  const { supplierOrder } = answer;
  if (supplierOrder !== null && !ORDER_NUMBER.test(supplierOrder))
    return { outcome: 'held', supplierOrder: null, reason: 'its number of the order cannot be one' };
  if (answer.outcome === 'pending') return answer;
  if (answer.outcome === 'held') return plain(answer);
  const priced = withCost(answer, alarm);
  if (priced.outcome === 'refilled') return priced;
  const checked = checkEsim(priced.esim);
  if ('problem' in checked) return { outcome: 'held', supplierOrder, reason: checked.problem };
  if (checked.dropped.length > 0) alarm(`an eSIM whose ${checked.dropped.join(', ')} cannot be right`);
  return { ...priced, esim: checked.esim };
}

/** Without a price that cannot be one: what the order cost is then not known. */
function withCost<A extends { readonly charged?: Micros }>(answer: A, alarm: Alarm): A {
  const { charged, ...rest } = answer;
  if (charged === undefined || (charged >= 0n && charged <= HIGHEST_COST)) return answer;
  alarm('an order whose price cannot be right');
  return rest as A;
}

function checkedUsage(answer: UsageAnswer, alarm: Alarm): UsageAnswer {
  if (answer.outcome !== 'reading') return plain(answer);
  const wrong = wrongIn(answer.reading);
  if (wrong === undefined) return withProfile(answer, alarm);
  const reason = `a reading whose ${wrong} cannot be right`;
  alarm(reason);
  return { outcome: 'unavailable', reason };
}

/** The usage counts, also when what came with it cannot be right. */
function withProfile(answer: Extract<UsageAnswer, { outcome: 'reading' }>, alarm: Alarm): UsageAnswer {
  const { profile: given, ...rest } = answer;
  if (given === undefined) return answer;
  const { profile, dropped } = checkProfile(given);
  if (dropped.length > 0) alarm(`a profile whose ${dropped.join(', ')} cannot be right`);
  return profile ? { ...rest, profile } : rest;
}

function wrongIn({ state, totalMb, usedMb, activatedAt, expiresAt }: UsageReading): string | undefined {
  if (!usageStates.includes(state)) return 'state';
  if (totalMb !== null && !isMb(totalMb)) return 'total';
  if (!isMb(usedMb)) return 'usage';
  if (activatedAt !== null && !isDay(activatedAt)) return 'time of activation';
  return expiresAt === null || isDay(expiresAt) ? undefined : 'end';
}

const isMb = (mb: number): boolean => Number.isInteger(mb) && mb >= 0 && mb <= MOST_MB;
const isDay = (at: Date): boolean => at.getTime() >= FIRST_DAY && at.getTime() < LAST_DAY;

function checkedBalance(answer: BalanceAnswer, alarm: Alarm): BalanceAnswer {
  if (answer.outcome !== 'balance') return plain(answer);
  if (answer.balance <= HIGHEST_BALANCE && answer.balance >= -HIGHEST_BALANCE) return answer;
  const reason = 'a balance that cannot be right';
  alarm(reason);
  return { outcome: 'unavailable', reason };
}
