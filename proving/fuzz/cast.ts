import { startPerson } from '../../src/domains/partners/people/members.ts';
import {
  memberAccess,
  memberRoles,
  members,
  operatorAccess,
  operatorRoles,
  operators,
  type Role,
} from '../../src/domains/partners/people/people.ts';
import { raw, sql } from '../../src/platform/db/query/sql.ts';
import type { WorldName } from '../chaos/model.ts';
import { CEILINGS } from '../chaos/settings.ts';
import type { Site } from '../chaos/site.ts';
import { requireThat } from '../chaos/violation.ts';

/** A caller with an API key. `isRefused`: none of its requests may succeed. */
export interface Caller {
  readonly key: string;
  readonly world: WorldName;
  readonly isRefused: boolean;
  /** Not everything is open to this key. */
  readonly isRestricted: boolean;
}

/** A client of the door for Airalo's software. */
export interface Client {
  readonly token: string;
  readonly world: WorldName;
}

/** Every caller in one part of a run. What a part breaks (keys, members, whole partners) is created anew for the next. */
export interface Cast {
  readonly callers: readonly Caller[];
  /** Clients of the door for Airalo's software. */
  readonly clients: readonly Client[];
  /** Cookies of signed-in members and operators. */
  readonly members: readonly string[];
  readonly operators: readonly string[];
  readonly partners: readonly number[];
}

/** Has the form of a hash, and no password matches it. */
const NO_PASSWORD = `scrypt$15$8$3$${'A'.repeat(22)}$${'A'.repeat(43)}`;
const EVERYTHING = 'read,buy,money,webhooks';
const MEMBERS = 16;
const OPERATORS = 12;

// biome-ignore lint/suspicious/noExplicitAny: whatever the command answers.
async function done(site: Site, ...words: string[]): Promise<any> {
  const ended = await site.operator(...words);
  requireThat(ended.outcome === 'done', `${words.join(' ')} failed`, ended);
  return ended.result;
}

/** `number` is that of the part: names must differ. */
export async function makeCast(site: Site, number: number): Promise<Cast> {
  const callers: Caller[] = [];
  const clients: Client[] = [];
  const key = async (partner: number, world: WorldName, isRefused: boolean, ...more: string[]) => {
    const made = await done(site, 'key', 'create', '--partner', `${partner}`, '--mode', world, ...more);
    if (!isRefused || more.length > 0) await done(site, 'key', 'set', `${made.key_id}`, '--ceilings', CEILINGS);
    callers.push({ key: made.key, world, isRefused, isRestricted: more.length > 0 && !more.includes(EVERYTHING) });
    if (made.client_id) clients.push({ world, token: await tokenFor(site, world, made) });
    return made.key_id as number;
  };
  const partner = async (...terms: string[]): Promise<number> => {
    const words = ['--name', 'Fuzz', '--email', `fuzz${number}@example.com`, ...terms];
    return (await done(site, 'partner', 'create', ...words)).partner_id;
  };
  const rich = await partner('--billing', 'prepaid');
  await done(site, 'wallet', 'credit', '--partner', `${rich}`, '--amount', '100000.00');
  const credit = await partner('--billing', 'postpaid', '--credit-limit', '3000.00');
  await done(site, 'partner', 'set', `${credit}`, '--margin-share', '20', '--revenue-share', '30');
  const poor = await partner('--billing', 'prepaid');
  await done(site, 'wallet', 'credit', '--partner', `${poor}`, '--amount', '12.00');
  for (const one of [rich, credit, poor])
    for (const world of ['live', 'sandbox'] as const) {
      await key(one, world, false);
      await key(one, world, false, '--permissions', EVERYTHING, '--airalo');
    }
  for (const permission of ['read', 'buy', 'money']) await key(rich, 'live', false, '--permissions', permission);
  await key(credit, 'live', true, '--allow', '10.1.2.3');
  await done(site, 'key', 'revoke', String(await key(poor, 'live', true)));
  const disabled = await partner('--billing', 'prepaid');
  await key(disabled, 'live', true);
  await key(disabled, 'sandbox', true);
  await done(site, 'partner', 'set', `${disabled}`, '--disabled', 'true');
  const partners = [rich, credit, poor, disabled];
  return { callers, clients, partners, ...(await people(site, number, [rich, credit])) };
}

async function tokenFor(
  { server, secrets }: Site,
  world: WorldName,
  { client_id, client_secret }: { readonly client_id: string; readonly client_secret: string },
): Promise<string> {
  secrets.add(client_secret);
  const answer = await fetch(new URL('/v3/airalo/v2/token', server.urls[world]), {
    method: 'POST',
    body: new URLSearchParams({ client_id, client_secret, grant_type: 'client_credentials' }),
  });
  const { data } = (await answer.json()) as { readonly data: { readonly access_token: string } };
  requireThat(answer.status === 200, 'a client of the door got no token', data);
  secrets.add(data.access_token);
  return data.access_token;
}

async function people(
  { base: { db, vault }, secrets }: Site,
  number: number,
  partners: readonly number[],
): Promise<Pick<Cast, 'members' | 'operators'>> {
  const now = Date.now();
  const kept = (name: string, token: string) => {
    secrets.add(token);
    return `${name}=${token}`;
  };
  const ofMembers: string[] = [];
  for (let i = 0; i < MEMBERS; i++) {
    const role = memberRoles.names[i] ?? 'owner';
    const partnerId = partners[i % partners.length] as number;
    const token = await memberSession(db, partnerId, role, `member${number}-${i}@example.com`);
    ofMembers.push(kept('wayfare_session', token));
  }
  const ofOperators: string[] = [];
  for (let i = 0; i < OPERATORS; i++) {
    const role = operatorRoles.names[i] ?? 'admin';
    const token = await db.tx(async (tx) => {
      const { operatorId } = await operators.create(tx, { email: `operator${number}-${i}@example.com`, role }, now);
      await tx.run(sql`
        insert into staff_second_factors (operator_id, secret, on_since)
        values (${operatorId}, ${vault.seal('never asked for')}, ${new Date(now)})`);
      return operatorAccess.sessions.open(tx, operatorId, now);
    });
    ofOperators.push(kept('wayfare_operator', token));
  }
  // Otherwise most of the console would only say that the password has to be given again.
  for (const sessions of ['sessions', 'staff_sessions'].map(raw))
    await db.run(sql`update ${sessions} set confirmed_at = now() + interval '1 day'`);
  return { members: ofMembers, operators: ofOperators };
}

const memberSession = (db: Site['base']['db'], partnerId: number, role: Role, email: string): Promise<string> =>
  db.tx(async (tx) => {
    const { memberId } = await members.create(tx, { partnerId, email, role }, Date.now());
    await startPerson(tx, memberId, NO_PASSWORD);
    return memberAccess.sessions.open(tx, memberId, Date.now());
  });

/** The cookie of a new owner of the partner. */
export const signInMember = async ({ base }: Site, partnerId: number): Promise<string> =>
  `wayfare_session=${await memberSession(base.db, partnerId, 'owner', 'owner@example.com')}`;
