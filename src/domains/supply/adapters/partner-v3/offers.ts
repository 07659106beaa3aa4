import { HOUR, MINUTE, SECOND } from '../../../../platform/clock.ts';
import type { Called, Failed } from '../../../../platform/http/call.ts';
import { type Deadline, deadlineIn, within } from '../connection.ts';
import { type Json, listOf, objectOf, parseObject } from '../loose.ts';

/** What a service offers beyond the contract. All false: only the contract. */
export interface Offers {
  /** The whole list in one answer, and what changed since. */
  readonly export: boolean;
  /** Orders carry a reference of ours and can be looked up by it. */
  readonly reference: boolean;
  readonly refills: boolean;
  /** Unused eSIMs can be refunded. */
  readonly refunds: boolean;
  /** An eSIM's usage comes with its profile, and it can be suspended and resumed. */
  readonly phones: boolean;
}

const nothing: Offers = { export: false, reference: false, refills: false, refunds: false, phones: false };

/** A service can be upgraded while we run. */
const FRESH_MS = 1 * HOUR;
const AGAIN_MS = 1 * MINUTE;
const LIMIT_MS = 20 * SECOND;

/**
 * Reads the service's own description, once an hour. Until it has been read nothing else is asked: how a lost order is looked up
 * depends on it, and an answer found one way must not be doubted the other way. Later failures to read it leave it as it was.
 */
export function openOffers(
  read: (deadline: Deadline) => Promise<Called>,
): (limit: Deadline) => Promise<Offers | Failed> {
  let known: Offers | undefined;
  let fresh = deadlineIn(0);
  let reading: Promise<Offers | Failed> | undefined;

  async function readAgain(): Promise<Offers | Failed> {
    const called = await read(deadlineIn(LIMIT_MS));
    const offers = 'failed' in called ? called : offersIn(called);
    fresh = deadlineIn('failed' in offers ? AGAIN_MS : FRESH_MS);
    if (!('failed' in offers)) known = offers;
    return offers;
  }

  return async (limit) => {
    if (known && fresh.leftMs() > 0) return known;
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return known ?? within(reading, limit.leftMs(), { failed: 'time-out', sent: false });
  };
}

function offersIn({ status, text }: { status: number; text: string }): Offers | Failed {
  // The contract itself has no such address.
  if (status >= 300 && status < 500 && status !== 429 && status !== 408) return nothing;
  if (status !== 200) return { failed: `HTTP ${status}`, sent: true, answered: true };
  const paths = objectOf(parseObject(text).paths);
  const has = (...wanted: string[]) => wanted.every((path) => path in paths);
  return {
    export: has('/catalog/export', '/catalog/changes'),
    reference: takesReference(paths),
    refills: has('/purchase/refill', '/esim/list', '/esim/refills/{iccid}'),
    refunds: has('/order/refund', '/esim/detail/{iccid}'),
    phones: has('/esim/suspend', '/esim/resume', '/esim/detail/{iccid}'),
  };
}

/** A purchase takes it, and orders can be filtered by it. */
function takesReference(paths: Json): boolean {
  const of = (value: unknown, ...names: string[]) => names.reduce((inner, name) => objectOf(inner)[name], value);
  const form = of(paths, '/purchase/buy', 'post', 'requestBody', 'content', 'application/x-www-form-urlencoded');
  const parameters = listOf(of(paths, '/order/get', 'get', 'parameters')) ?? [];
  return (
    'reference' in objectOf(of(form, 'schema', 'properties')) && parameters.some(({ name }) => name === 'reference')
  );
}
