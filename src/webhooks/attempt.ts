import type { Clock } from '../clock.ts';
import { redact } from '../log.ts';
import type { Vault } from '../secrets.ts';
import { webhookHeaders } from './headers.ts';
import type { AttemptOutcome, Claimed } from './queue.ts';
import { nextAttemptAt } from './schedule.ts';
import type { PostResult, Sender } from './send.ts';
import { sign } from './signature.ts';

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

  async function send(claimed: Claimed): Promise<PostResult> {
    const { deliveryId, event, eventId, previousSecret } = claimed;
    const body = vault.open(claimed.body);
    const secret = open(claimed.secret);
    const signed = sign(previousSecret ? [secret, open(previousSecret)] : [secret], eventId, body, clock.now());
    return sender.send(claimed.url, webhookHeaders(deliveryId, event, eventId, signed), body);
  }

  return async (claimed) => {
    // A claim counts the attempt in advance. The process that claimed the last one died before it recorded an outcome.
    const interrupted = claimed.attempts > claimed.maxAttempts;
    const answer = interrupted ? notSent('interrupted') : await send(claimed).catch(() => notSent('unreadable'));
    const { httpStatus, error } = answer;
    const succeeded = error === '' && httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300;
    const dueAt = succeeded ? undefined : nextAttemptAt(claimed.attempts, claimed.maxAttempts, clock.now());
    return {
      claimed,
      succeeded,
      dueAt: dueAt === undefined ? undefined : new Date(dueAt),
      httpStatus,
      durationMs: answer.durationMs,
      responseBody: storable(answer.responseBody),
      error: storable(error),
    };
  };
}

function notSent(error: string): PostResult {
  return { requestSent: false, refused: undefined, httpStatus: undefined, responseBody: '', error, durationMs: 0 };
}

/** A receiver may echo the body, which can hold an activation code, so the log gets it redacted. PostgreSQL stores no NUL. */
function storable(text: string): string {
  return text === '' ? text : redact(text.replaceAll('\0', ''));
}
