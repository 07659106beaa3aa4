import { createPartner } from '../../domains/partners/accounts/accounts.ts';
import {
  type Application,
  addSignUp,
  endOtherLinks,
  linkToSignUp,
  moveApplication,
  requireLinked,
  signUpAddress,
  type TypedSignUp,
  takeUnmailed,
} from '../../domains/partners/applications/applications.ts';
import { createKey } from '../../domains/partners/keys/keys.ts';
import {
  type LinkUse,
  type MemberLinkHolder,
  memberAccess,
  members,
  requireEmail,
} from '../../domains/partners/people/people.ts';
import { SECOND } from '../../platform/clock.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { hasSiteAddress } from '../../platform/contract/site-address.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Base } from '../../worlds/base.ts';

/*
 * Signing up, open to everybody. As with a forgotten password there are two steps, so that neither the answer nor its timing
 * reveals whether an address is known: the request counts itself and records what was typed; a job looks the address up and mails
 * the link, or a note that there is already an account. The link sets a password and opens the account, or, where operators review
 * sign-ups, confirms the address first.
 */

export type SignUpDesk = Pick<Base, 'db' | 'clock' | 'vault' | 'mail' | 'config'>;

const LOOK_EVERY_MS = 2 * SECOND;

/** What the page of a link is for. */
export type SignUpStep = 'password' | 'confirm' | 'answer';

/**
 * Takes a sign-up. Throws `TooManyAttempts`. Returns the link only where mail is off, which is allowed on localhost alone: there
 * every sign-up gets a link at once, and no address is looked up.
 */
export async function signUp({ db, clock, mail, config }: SignUpDesk, typed: TypedSignUp): Promise<string | undefined> {
  const wanted = {
    ...typed,
    email: typed.email.trim(),
    name: requireTypedName('name', typed.name),
    company: requireTypedName('company', typed.company),
  };
  requireEmail(wanted.email);
  const now = clock.now();
  return db.tx(async (tx) => {
    await memberAccess.throttle.countRequest(tx, 'sign-up', wanted, now);
    const id = await addSignUp(tx, wanted, now);
    return mail.isOn ? undefined : signUpAddress(config.panelUrl, await linkToSignUp(tx, id, now, 'stranger'));
  });
}

export const signUpMailsJob = (desk: Pick<SignUpDesk, 'db' | 'clock' | 'mail' | 'config'>): Job => ({
  name: 'sign-up mails',
  everyMs: LOOK_EVERY_MS,
  run: () => mailSignUp(desk),
});

/** Mails one sign-up its link; returns how many it took. */
export function mailSignUp({
  db,
  clock,
  mail,
  config,
}: Pick<SignUpDesk, 'db' | 'clock' | 'mail' | 'config'>): Promise<number> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const taken = await takeUnmailed(tx, now);
    if (!taken) return 0;
    const { applicationId, name, email: to, isStale } = taken;
    if (isStale) return 1;
    if ((await members.lockWithAddress(tx, to)).length > 0)
      await mail.queue(tx, { kind: 'sign_up_known', to, facts: { name }, partnerId: null }, now);
    else {
      const link = signUpAddress(config.panelUrl, await linkToSignUp(tx, applicationId, now, 'stranger'));
      await mail.queue(tx, { kind: 'sign_up', to, facts: { name, link }, partnerId: null }, now);
    }
    return 1;
  });
}

export async function linkedSignUp(
  { db, clock, config }: SignUpDesk,
  token: string,
): Promise<{ readonly step: SignUpStep; readonly application: Application }> {
  const application = await requireLinked(db, token, clock.now());
  return { step: stepOf(application, config), application };
}

const stepOf = ({ status }: Application, { signUp }: SignUpDesk['config']): SignUpStep =>
  status === 'asked' ? 'answer' : status === 'unconfirmed' && signUp === 'review' ? 'confirm' : 'password';

/** The mail was read: from here on operators see the sign-up. */
export const confirmSignUp = (desk: SignUpDesk, token: string): Promise<void> =>
  moved(desk, token, 'confirm', (tx, { applicationId }, now) =>
    moveApplication(tx, applicationId, { status: 'waiting' }, now),
  );

export function answerSignUp(desk: SignUpDesk, token: string, answer: string): Promise<void> {
  const text = requireTyped('answer', answer);
  return moved(desk, token, 'answer', (tx, { applicationId }, now) =>
    moveApplication(tx, applicationId, { status: 'waiting', answer: text }, now),
  );
}

function moved(
  desk: SignUpDesk,
  token: string,
  step: SignUpStep,
  work: (tx: Tx, found: Application, now: number) => Promise<unknown>,
): Promise<void> {
  const now = desk.clock.now();
  return desk.db.tx(async (tx) => {
    const found = await requireLinked(tx, token, now, 'lock');
    if (stepOf(found, desk.config) !== step) throw new Refused('link_not_valid');
    await work(tx, found, now);
  });
}

/** What a new account starts with; returned once and not stored. */
interface Opened {
  /** Of the session. */
  readonly token: string;
  /** The key of its sandbox. */
  readonly key: string;
}

/** Uses the link: sets the password, opens the account with its owner and a key, and signs them in, all or nothing. */
export async function acceptSignUp(desk: SignUpDesk, link: LinkUse): Promise<Opened> {
  let key = '';
  const book: NonNullable<Parameters<typeof memberAccess.acceptLink>[2]> = {
    what: 'sign up',
    async require(db, token, now) {
      const { email } = await requirePasswordStep(requireLinked(db, token, now), desk);
      return { email, personId: null };
    },
    async use(tx, token, now) {
      const found = await requirePasswordStep(requireLinked(tx, token, now, 'lock'), desk);
      const opened = await openAccount(tx, desk, found, now);
      key = opened.key;
      return opened.holder;
    },
  };
  return { token: await memberAccess.acceptLink(desk, link, book), key };
}

async function requirePasswordStep(looked: Promise<Application>, { config }: SignUpDesk): Promise<Application> {
  const found = await looked;
  if (stepOf(found, config) !== 'password') throw new Refused('link_not_valid');
  return found;
}

async function openAccount(
  tx: Tx,
  { vault }: SignUpDesk,
  found: Application,
  now: number,
): Promise<{ readonly holder: MemberLinkHolder; readonly key: string }> {
  const { applicationId, company, email } = found;
  const partnerId = await createPartner(tx, { name: company, email, isLive: false }, new Date(now));
  const { memberId } = await members.create(tx, { partnerId, email, role: 'owner' }, now);
  const { key } = await createKey(tx, { partnerId, mode: 'sandbox', name: 'First key' }, vault.seal);
  await endOtherLinks(tx, found);
  await moveApplication(tx, applicationId, { status: 'opened', partnerId }, now);
  return { holder: { holderId: memberId, personId: null, email, partnerId, partnerName: company }, key };
}

/** What applicants and operators type: its name on the page, its longest length, and whether it may have several lines. */
const fields = {
  name: ['your name', 100, 1],
  company: ['the company', 100, 1],
  address: ['the address', 300, 5],
  country: ['the country', 60, 1],
  tax_number: ['the tax number', 60, 1],
  volume: ['the expected volume', 200, 3],
  use: ['the use', 1_000, 20],
  answer: ['the answer', 1_000, 20],
  question: ['the question', 1_000, 20],
  note: ['the note', 1_000, 20],
} as const satisfies Record<string, readonly [label: string, max: number, lines: number]>;

/** Trimmed; without characters that cannot be shown, which would spoil lists, mails and terminals. */
export function requireTyped(field: keyof typeof fields, given: string): string {
  const [label, max, lines] = fields[field];
  const refuse = (why: string): never => {
    throw new Refused('invalid_input', `${label} ${why}`).about(field);
  };
  const text = given.trim().replace(/\r\n?/g, '\n');
  if (text === '') refuse('is missing');
  if ([...text].length > max) refuse(`has at most ${max} characters`);
  if (text.split('\n').length > lines) refuse('has too many lines');
  if (/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u.test(text)) refuse('has characters that cannot be shown');
  return text;
}

/** The same for what a stranger signs up as, which is in mails to other strangers before anybody has looked at it. */
function requireTypedName(field: 'name' | 'company', given: string): string {
  const text = requireTyped(field, given);
  if (!hasSiteAddress(text)) return text;
  if (field === 'name')
    throw new Refused('invalid_name', 'your name must not hold a website address; after a dot, leave a space');
  throw new Refused(
    'invalid_company',
    'the company must not hold a website address; write the name without its ending, and ask us to add it once you are live',
  );
}
