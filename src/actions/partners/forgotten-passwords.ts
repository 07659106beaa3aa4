import { passwordRequests } from '../../domains/messages/mail/mail.ts';
import { findPartner } from '../../domains/partners/accounts/accounts.ts';
import { memberAccess, members } from '../../domains/partners/people/people.ts';
import { HOUR, SECOND, timestamp } from '../../platform/clock.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Actor } from '../actor.ts';
import { mailLink } from './members.ts';

/*
 * "Forgot your password?", open to everybody. Two steps, so that neither the answer nor its timing reveals
 * whether an address is known: the request only counts itself and records what was typed; a job looks the address up and mails the
 * links.
 */

type Desk = Pick<Actor, 'db' | 'clock' | 'mail'>;

/** Longer than any real address. */
const MAX_TYPED_LENGTH = 254;
const LOOK_EVERY_MS = 2 * SECOND;
/** A request that waited longer, because no worker ran, is dropped: its page was closed long ago. */
const STALE_AFTER_MS = 1 * HOUR;

/** Takes a request for a new password. Throws `TooManyAttempts`. */
export async function askForLink({ db, clock }: Desk, typed: { email: string; address: string }): Promise<void> {
  if (typed.email.length > MAX_TYPED_LENGTH || !typed.email.includes('@')) throw new Refused('invalid_email');
  const now = clock.now();
  await db.tx(async (tx) => {
    await memberAccess.throttle.countRequest(tx, 'forgotten', typed, now);
    await passwordRequests.add(tx, typed.email, new Date(now));
  });
}

export const forgottenPasswordsJob = (desk: Desk): Job => ({
  name: 'forgotten passwords',
  everyMs: LOOK_EVERY_MS,
  run: () => answerRequest(desk),
});

/** Answers one request; returns how many it took. */
export function answerRequest(desk: Desk): Promise<number> {
  const now = desk.clock.now();
  return desk.db.tx(async (tx) => {
    const request = await passwordRequests.take(tx);
    if (!request) return 0;
    if (now - request.createdAt.getTime() < STALE_AFTER_MS) await mailLinks(tx, desk, request.email, now);
    return 1;
  });
}

/** One link for every membership with that address: a password set by a link is valid at one partner. */
async function mailLinks(tx: Tx, desk: Desk, typed: string, now: number): Promise<void> {
  for (const { memberId, partnerId, email } of await members.lockWithAddress(tx, typed)) {
    const link = await memberAccess.links.createForgotten(tx, memberId, now);
    if ('token' in link) {
      await mailLink(tx, desk, 'password_forgotten', { partnerId, email }, link.token);
      continue;
    }
    const { name: partnerName } = await findPartner(tx, partnerId);
    const facts = { partnerName, until: timestamp(link.otherUntil) };
    await desk.mail.queue(tx, { kind: 'password_link_open', to: email, facts, partnerId }, now);
  }
}
