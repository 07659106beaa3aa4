import { raw, sql } from '../../src/platform/db/query/sql.ts';
import { leaksIn } from '../../test/runner/leaks.ts';
import type { TestApp } from '../../test/support/program/app.ts';

/** Credentials to look for in answers. */
export const kinds = [
  'activation data',
  'traveller’s link',
  'QR address',
  'sandbox API key',
  'live API key',
  'webhook secret',
  'member link',
  'operator link',
  'view of a panel',
  'session',
  'second factor',
  'operators’ note',
] as const;
export type Kind = (typeof kinds)[number];

/** Secrets that are recognised by their form; the others have to be known. */
const forms: readonly (readonly [Kind, RegExp])[] = [
  ['sandbox API key', /\besk_test_[0-9a-f]{40}\b/],
  ['live API key', /\besk_[0-9a-f]{40}\b/],
  ['webhook secret', /\bwhsec_[\w+/=-]{16,}/],
  ['member link', /(?<!operator)\/welcome#wfl_[\w-]{43}/],
  ['operator link', /\/operator\/welcome#wfl_[\w-]{43}/],
  ['view of a panel', /\bwfv_[\w-]{43}/],
  ['session', /\bwf[so]_[\w-]{43}/],
  // From its first dash, which is found sooner than a word in the whole catalog.
  ['second factor', /(?<=\b[A-Z2-7]{4})(-[A-Z2-7]{4}){3}\b|"key":"[A-Z2-7]{32}"/],
  ['traveller’s link', /\/e\/[\w-]{20,}/],
  ['QR address', /\/qr\/[a-z]+-\d+-[0-9a-f]{64}/],
];

/** Every activation code and every sealed secret ever stored, as texts to search for. */
export async function everIssued(t: TestApp): Promise<ReadonlyMap<string, Kind>> {
  const found = new Map<string, Kind>();
  const { db, vault, worlds } = t.base;
  for (const world of ['live', 'sandbox'] as const) {
    const orders = await db.query<{ id: bigint; sealed: Buffer; key: Buffer | null }>(sql`
      select orders.id, esim as sealed, keys.sealed as key
      from ${raw(world)}.orders left join ${raw(world)}.esim_keys keys using (id) where esim is not null`);
    for (const { id, ...apart } of orders) {
      for (const code of codesIn(vault.openApart(apart) ?? '')) found.set(code, 'activation data');
      const url = await worlds[world].travellerLinks.urlOf({ id });
      if (url) found.set(url.split('/e/')[1] ?? '', 'traveller’s link');
    }
    const secrets = await db.query<{ secret: Buffer }>(sql`
      select secret from ${raw(world)}.webhook_subscriptions where secret is not null
      union all select previous_secret from ${raw(world)}.webhook_subscriptions where previous_secret is not null`);
    for (const { secret } of secrets) found.set(vault.open(secret), 'webhook secret');
  }
  for (const { text } of await db.query<{ text: string }>(sql`select text from notes`))
    found.set(text, 'operators’ note');
  // That of a deleted subscription is overwritten.
  found.delete('');
  return found;
}

/** What installs an eSIM: the matching id, and the code it is part of. The address of the SM-DP+ alone is no secret. */
function codesIn(opened: string): string[] {
  const esim = JSON.parse(opened) as Readonly<Record<string, unknown>>;
  return ['matchingId', 'activationCode', 'confirmationCode', 'appleUrl'].flatMap((name) => {
    const value = esim[name];
    return typeof value === 'string' && value.length >= 8 ? [value] : [];
  });
}

/** Texts longer than this are worth an index: the whole catalog is one. */
const LONG = 50_000;

/** The kinds of secrets in a text. */
export function secretsIn(text: string, issued: ReadonlyMap<string, Kind>): Set<Kind> {
  const found = new Set<Kind>(forms.flatMap(([kind, form]) => (form.test(text) ? [kind] : [])));
  const secrets = [...issued.keys()];
  const inText =
    text.length < LONG ? secrets.filter((secret) => text.includes(secret)) : leaksIn(Buffer.from(text), secrets);
  for (const secret of inText) found.add(issued.get(secret) as Kind);
  return found;
}
