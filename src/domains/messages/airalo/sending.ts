import { type Clock, DAY, MINUTE, SECOND } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Job } from '../../../platform/jobs/runner.ts';
import type { Services } from '../../../platform/start/services.ts';
import { notice as describe, traced, traceparent } from '../../../platform/traces/traces.ts';
import { clientSecretOf } from '../../partners/keys/keys.ts';
import { type AiraloNotices, type DueNotice, phpJson, signatureOf } from './notices.ts';

interface NoticeWorld {
  readonly schema: string;
  readonly airaloNotices: AiraloNotices;
}

interface JobParts extends Pick<Services, 'vault' | 'clock' | 'log'> {
  /** The owner's connection: keys belong to no world. */
  readonly db: Db;
  readonly sender: {
    send(
      url: string,
      headers: Record<string, string>,
      body: string,
    ): Promise<{ readonly httpStatus?: number | undefined }>;
  };
  /** What the webhook about an order says besides its request; undefined: the order is still open. */
  resultOf(notice: Pick<DueNotice, 'partnerId' | 'requestId'>, orderId: bigint): Promise<object | undefined>;
}

/** As Airalo sends them. */
const RETRIES = 20;
const BETWEEN_MS = 15 * MINUTE;

const AT_ONCE = 20;
const EVERY_MS = 1 * SECOND;
/** Longer than an attempt takes. A process that dies while sending leaves the rest to the next. */
const LEASE_MS = 1 * MINUTE;
/** An order is looked at again after a quarter of its age, so that a slow one costs little. */
const LONGEST_LOOK_MS = 1 * MINUTE;

/** Repeated orders are found for a minute of their account's time, which may be behind ours by the length of a request. */
const REPEATS_KEPT_MS = DAY;

export const pruneAiraloJob = (
  { schema, airaloNotices }: NoticeWorld,
  { clock, keptMs }: { readonly clock: Clock; readonly keptMs: number },
): Job => ({
  name: `prune airalo notices ${schema}`,
  everyMs: 10 * MINUTE,
  run: () => airaloNotices.prune(new Date(clock.now() - keptMs), new Date(clock.now() - REPEATS_KEPT_MS)),
});

/** Sends webhooks in Airalo's form: those of orders once nothing of the order is open. Beside `deliver`, which sends our own. */
export function airaloNoticesJob({ schema, airaloNotices }: NoticeWorld, parts: JobParts): Job {
  const { clock, log, db, vault, sender } = parts;

  async function send(notice: DueNotice): Promise<void> {
    const { id, kind, attempts } = notice;
    const now = clock.now();
    const sealed = await clientSecretOf(db, notice.keyId, now);
    const body = notice.body ?? (sealed && (await bodyOf(notice)));
    if (body === undefined && sealed) {
      const afterMs = Math.min(LONGEST_LOOK_MS, Math.max(EVERY_MS, (now - notice.createdAt.getTime()) / 4));
      return airaloNotices.record(id, {
        sentAt: null,
        httpStatus: null,
        dueAt: new Date(now + afterMs),
        isEarly: true,
      });
    }
    // The client's key has ended, so nobody may be told any more.
    if (!sealed || body === undefined) return airaloNotices.record(id, { sentAt: null, httpStatus: null, dueAt: null });
    const { httpStatus, isSent } = await attempt(notice, headersOf(vault.open(sealed), body), body);
    const isOver = isSent || attempts > RETRIES;
    if (!isSent)
      log[isOver ? 'warn' : 'info'](
        { notice: Number(id), kind, httpStatus, attempts },
        'a webhook in Airalo’s form was not taken',
      );
    await airaloNotices.record(id, {
      sentAt: isSent ? new Date(now) : null,
      httpStatus,
      dueAt: isOver ? null : new Date(now + BETWEEN_MS),
    });
  }

  function attempt({ url, kind, attempts, cause }: DueNotice, headers: Record<string, string>, body: string) {
    const attributes = { 'wayfare.event': kind, 'wayfare.attempt': attempts, 'http.request.method': 'POST' };
    return traced('webhook attempt', { kind: 'client', apart: true, cause, attributes }, async () => {
      const trace = traceparent();
      const sent = trace ? { ...headers, traceparent: trace } : headers;
      const { httpStatus = null } = await sender.send(url, sent, body);
      const isSent = httpStatus !== null && httpStatus >= 200 && httpStatus < 204;
      const answer = httpStatus === null ? { 'error.type': 'no_answer' } : { 'http.response.status_code': httpStatus };
      describe(answer, { isError: !isSent });
      return { httpStatus, isSent };
    });
  }

  async function bodyOf(notice: DueNotice): Promise<string | undefined> {
    const result = notice.orderId === null ? undefined : await parts.resultOf(notice, notice.orderId);
    return result && phpJson(result);
  }

  return {
    name: `airalo notices ${schema}`,
    everyMs: EVERY_MS,
    async run() {
      const now = clock.now();
      const due = await airaloNotices.claim(new Date(now), new Date(now + LEASE_MS), AT_ONCE);
      await Promise.all(due.map(send));
      return due.length;
    },
  };
}

const headersOf = (secret: string, body: string): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json',
  'airalo-signature': signatureOf(secret, body),
});
