import { redact } from '../../../../platform/log.ts';
import type { Services } from '../../../../platform/start/services.ts';
import { notice, traced, traceparent } from '../../../../platform/traces/traces.ts';
import { INBOX_URL, received } from '../log/inbox.ts';
import type { AttemptOutcome, Claimed, Exchange, Sendable } from '../queue/queue.ts';
import { nextAttemptAt } from '../queue/schedule.ts';
import type { PostResult, Sender } from './send.ts';
import { type Signed, type SigningKey, sign, signingKey, webhookHeaders } from './signature.ts';

/** Keys of signing secrets kept in memory; when full, all are dropped. */
const MAX_OPEN_SECRETS = 10_000;

/** Makes one attempt at a claimed delivery. Never throws. */
export type MakeAttempt = (claimed: Claimed) => Promise<AttemptOutcome>;

/** Sends one delivery once and says what came back. Never throws. */
export type MakeExchange = (sendable: Sendable) => Promise<Exchange>;

interface AttemptParts extends Pick<Services, 'vault' | 'clock'> {
  readonly sender: Sender;
  /** Deliveries to the inbox stay in this process (`inbox.ts`). */
  readonly hasInbox?: boolean | undefined;
}

/** `exchange` alone decides nothing about the delivery; `attempt` also says when it is due again. */
export function attempts({ vault, sender, clock, hasInbox = false }: AttemptParts): {
  attempt: MakeAttempt;
  exchange: MakeExchange;
} {
  const opened = new Map<string, SigningKey>();

  function open(sealed: Buffer): SigningKey {
    const name = sealed.toString('latin1');
    const known = opened.get(name);
    if (known !== undefined) return known;
    const key = signingKey(vault.open(sealed));
    if (opened.size >= MAX_OPEN_SECRETS) opened.clear();
    opened.set(name, key);
    return key;
  }

  async function send({ deliveryId, event, eventId, url, previousSecret, ...sealed }: Sendable): Promise<Sent> {
    const body = vault.open(sealed.body);
    const key = open(sealed.secret);
    const keys: [SigningKey, ...SigningKey[]] = previousSecret ? [key, open(previousSecret)] : [key];
    const signed = sign(keys, eventId, body, clock.now());
    const trace = traceparent();
    const headers = { ...webhookHeaders(deliveryId, event, eventId, signed), ...(trace && { traceparent: trace }) };
    const isInbox = hasInbox && url === INBOX_URL;
    const answer = isInbox ? received(keys, headers, body, clock.now()) : await sender.send(url, headers, body);
    return { answer, signed: answer.requestSent ? signed : undefined };
  }

  async function exchanged(sending: () => Promise<Sent>): Promise<Exchange> {
    const startedAt = new Date(clock.now());
    const { answer, signed } = await sending();
    const { httpStatus, error } = answer;
    return {
      succeeded: error === '' && httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300,
      startedAt,
      endedAt: new Date(clock.now()),
      signed,
      httpStatus,
      durationMs: answer.durationMs,
      responseHeaders: storable(answer.responseHeaders),
      responseBody: storable(answer.longResponseBody),
      error: storable(error),
    };
  }

  const exchange: MakeExchange = (sendable) => exchanged(() => send(sendable).catch(() => notSent('unreadable')));

  async function attempt(claimed: Claimed): Promise<AttemptOutcome> {
    // A claim counts the attempt in advance. The process that claimed the last one died before it recorded an outcome.
    const isInterrupted = claimed.attempts > claimed.maxAttempts;
    const made = isInterrupted ? await exchanged(async () => notSent('interrupted')) : await exchange(claimed);
    const dueAt = made.succeeded ? undefined : nextAttemptAt(claimed.attempts, claimed.maxAttempts, clock.now());
    return { claimed, ...made, dueAt: dueAt === undefined ? undefined : new Date(dueAt) };
  }

  return { exchange, attempt: (claimed) => traceAttempt(claimed, () => attempt(claimed)) };
}

/** An attempt belongs to the request that caused its event. */
function traceAttempt(
  { event, attempts, cause }: Claimed,
  attempt: () => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const attributes = { 'wayfare.event': event, 'wayfare.attempt': attempts, 'http.request.method': 'POST' };
  return traced('webhook attempt', { kind: 'client', apart: true, cause, attributes }, async () => {
    const outcome = await attempt();
    const { httpStatus, error, succeeded } = outcome;
    const answer = httpStatus === undefined ? {} : { 'http.response.status_code': httpStatus };
    notice({ ...answer, ...(error !== '' && { 'error.type': 'no_answer' }) }, { isError: !succeeded });
    return outcome;
  });
}

interface Sent {
  readonly answer: PostResult;
  /** Undefined if no request left. */
  readonly signed: Signed | undefined;
}

function notSent(error: string): Sent {
  const nothing = { requestSent: false, refused: undefined, httpStatus: undefined, responseHeaders: '' };
  return { answer: { ...nothing, responseBody: '', longResponseBody: '', error, durationMs: 0 }, signed: undefined };
}

/** A receiver may echo the body, which can hold an activation code, so the log gets it redacted. PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text === '' ? text : redact(text.replaceAll('\0', ''));
}
