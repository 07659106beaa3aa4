import type { Clock } from '../clock.ts';
import { redact } from '../log.ts';
import type { Vault } from '../secrets.ts';
import { webhookHeaders } from './headers.ts';
import type { AttemptOutcome, Claimed } from './queue.ts';
import { nextAttemptAt } from './schedule.ts';
import type { PostResult, Sender } from './send.ts';
import { type Signed, sign } from './signature.ts';

/** Decrypted signing secrets kept in memory; when full, all are dropped. */
const MAX_OPEN_SECRETS = 10_000;

/** Makes one attempt at a claimed delivery. Never throws. */
export type MakeAttempt = (claimed: Claimed) => Promise<AttemptOutcome>;

export function attempts({ vault, sender, clock }: { vault: Vault; sender: Sender; clock: Clock }): MakeAttempt {
  const opened = new Map<string, string>();

  function open(sealed: Buffer): string {
    const key = sealed.toString('latin1');
    const known = opened.get(key);
    if (known !== undefined) return known;
    const secret = vault.open(sealed);
    if (opened.size >= MAX_OPEN_SECRETS) opened.clear();
    opened.set(key, secret);
    return secret;
  }

  async function send(claimed: Claimed): Promise<Sent> {
    const { deliveryId, event, eventId, previousSecret } = claimed;
    const body = vault.open(claimed.body);
    const secret = open(claimed.secret);
    const signed = sign(previousSecret ? [secret, open(previousSecret)] : [secret], eventId, body, clock.now());
    const answer = await sender.send(claimed.url, webhookHeaders(deliveryId, event, eventId, signed), body);
    return { answer, signed: answer.requestSent ? signed : undefined };
  }

  return async (claimed) => {
    const startedAt = clock.now();
    // A claim counts the attempt in advance. The process that claimed the last one died before it recorded an outcome.
    const interrupted = claimed.attempts > claimed.maxAttempts;
    const { answer, signed } = interrupted
      ? notSent('interrupted')
      : await send(claimed).catch(() => notSent('unreadable'));
    const { httpStatus, error } = answer;
    const succeeded = error === '' && httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300;
    const dueAt = succeeded ? undefined : nextAttemptAt(claimed.attempts, claimed.maxAttempts, clock.now());
    return {
      claimed,
      succeeded,
      dueAt: dueAt === undefined ? undefined : new Date(dueAt),
      startedAt: new Date(startedAt),
      signed,
      httpStatus,
      durationMs: answer.durationMs,
      responseHeaders: storable(answer.responseHeaders),
      responseBody: storable(answer.longResponseBody),
      error: storable(error),
    };
  };
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
