import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import type { Listener } from '../../../platform/db/notifications.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import { type AccountField, type AccountKind, accountKinds } from '../../../platform/settings/supplier-fields.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';

/** The values of an account by the names of its fields; one without a value has none. */
export type AccountValues = Readonly<Record<string, string>>;

function requireAccountKind(kind: string): AccountKind {
  const found = Object.hasOwn(accountKinds, kind) ? accountKinds[kind] : undefined;
  if (!found) throw new Refused('invalid_settings', `kind must be one of ${Object.keys(accountKinds).join(', ')}`);
  return found;
}

/**
 * The values of an account after `given` was applied to those it has: null or '' removes an optional one, fields not named stay. A
 * new address needs the credentials again. Refuses with one sentence, which never repeats a value.
 */
function readAccountValues(
  kind: string,
  given: Readonly<Record<string, unknown>>,
  before: AccountValues = {},
): AccountValues {
  const { title, fields } = requireAccountKind(kind);
  const unknown = Object.keys(given).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) {
    const known = fields.map(({ name }) => name).join(', ');
    throw new Refused(
      'invalid_settings',
      `“${unknown.slice(0, 40)}” is not a setting of ${title}; these are: ${known}`,
    );
  }
  const values: AccountValues = Object.fromEntries(
    fields.flatMap((field) => {
      const value = Object.hasOwn(given, field.name) ? readValue(field, given[field.name]) : before[field.name];
      if (value === undefined && field.isRequired)
        throw new Refused('invalid_settings', `${field.name} is missing: ${title} needs it`);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );
  const kept = fields.filter(({ name, isSecret }) => isSecret && before[name] !== undefined && !given[name]);
  // Otherwise somebody who may change an account could have its credentials sent to their own server.
  if (kept.length > 0 && inForce(kind, values).url !== inForce(kind, before).url)
    throw new Refused(
      'invalid_settings',
      `with another url the credentials must be given again: ${kept.map(({ name }) => name).join(', ')}`,
    );
  return values;
}

function readValue({ name, pattern, must }: AccountField, given: unknown): string | undefined {
  if (given === null || given === '') return undefined;
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text !== 'string' || !pattern.test(text) || (name === 'url' && !URL.canParse(text)))
    throw new Refused('invalid_settings', `${name} must be ${must}`);
  return name === 'url' ? text.replace(/\/+$/, '') : text;
}

/** With the defaults where nothing was given. */
export const inForce = (kind: string, values: AccountValues): AccountValues => ({
  ...Object.fromEntries(
    (accountKinds[kind]?.fields ?? []).flatMap(({ name, otherwise }) => (otherwise ? [[name, otherwise]] : [])),
  ),
  ...values,
});

/** What may be shown, and what must be sealed. */
function splitValues(kind: string, values: AccountValues): { plain: AccountValues; secret: AccountValues } {
  const secrets = new Set((accountKinds[kind]?.fields ?? []).flatMap(({ name, isSecret }) => (isSecret ? name : [])));
  const entries = Object.entries(values);
  return {
    plain: Object.fromEntries(entries.filter(([name]) => !secrets.has(name))),
    secret: Object.fromEntries(entries.filter(([name]) => secrets.has(name))),
  };
}

export const SUPPLIERS_CHANNEL = 'wayfare_suppliers';

export interface StoredAccount {
  readonly slug: string;
  readonly kind: string;
  readonly title: string;
  /** The fields that are not secret. */
  readonly settings: AccountValues;
  readonly secrets: Buffer;
  readonly updatedAt: Date;
  /** Changes with every change of the account. */
  readonly version: string;
}

const columns = sql`slug, kind, title, settings, secrets, updated_at as "updatedAt", md5(supplier_accounts::text) as version`;

const readAccounts = (db: Queryable): Promise<StoredAccount[]> =>
  db.query(sql`select ${columns} from supplier_accounts order by slug`);

const hold = (tx: Tx, slug: string): Promise<StoredAccount | undefined> =>
  tx.maybe(sql`select ${columns} from supplier_accounts where slug = ${slug} for update`);

/** Adds the account, or changes the one there is. */
async function write(
  tx: Tx,
  vault: Vault,
  account: Pick<StoredAccount, 'slug' | 'kind' | 'title'> & { readonly values: AccountValues },
  now: Date,
): Promise<void> {
  const { slug, kind, title, values } = account;
  const { plain, secret } = splitValues(kind, values);
  const [settings, secrets] = [JSON.stringify(plain), vault.seal(JSON.stringify(secret))];
  await tx.run(sql`
    insert into supplier_accounts (slug, kind, title, settings, secrets, updated_at)
    values (${slug}, ${kind}, ${title}, ${settings}::jsonb, ${secrets}, ${now})
    on conflict (slug) do update set title = excluded.title, settings = excluded.settings, secrets = excluded.secrets,
      updated_at = excluded.updated_at`);
}

/** All its values, the secrets opened. */
const valuesOf = (vault: Vault, { settings, secrets }: StoredAccount): AccountValues => ({
  ...settings,
  ...JSON.parse(vault.open(secrets)),
});

const secretsOf = (vault: Vault, account: StoredAccount): string[] =>
  Object.keys(JSON.parse(vault.open(account.secrets)));

export const supplierAccounts = { list: readAccounts, hold, write, valuesOf, secretsOf, readValues: readAccountValues };

/** The accounts of the database as this process knows them. */
export type Accounts = ReturnType<typeof openAccounts>;

export function openAccounts(db: Queryable, log: Pick<Log, 'warn'>) {
  let version = 0;
  let following: Pick<Listener, 'healthy'> | undefined;
  let known: { readonly at: number; readonly accounts: ReadonlyMap<string, StoredAccount> } | undefined;
  let reading: { readonly at: number; readonly accounts: Promise<ReadonlyMap<string, StoredAccount>> } | undefined;
  const changed = () => {
    version += 1;
  };

  async function read(at: number): Promise<ReadonlyMap<string, StoredAccount>> {
    try {
      const accounts = new Map((await readAccounts(db)).map((account) => [account.slug, account]));
      if (!known || known.at <= at) known = { at, accounts };
      return accounts;
    } catch (error) {
      if (!known) throw error;
      log.warn({ err: error }, 'the accounts at suppliers could not be read again; those in memory are used');
      return known.accounts;
    } finally {
      if (reading?.at === at) reading = undefined;
    }
  }

  return {
    /** They have just been changed here: the next call must not wait for the notification. */
    changed,
    /** Starts to listen for changes. Without it every call reads the accounts. */
    follow(listener: Pick<Listener, 'healthy' | 'on' | 'onReconnect'>): void {
      following = listener;
      listener.on(SUPPLIERS_CHANNEL, changed);
      listener.onReconnect(changed);
    },
    /**
     * Costs nothing while the notification connection is up and nothing has changed. Otherwise they are read; if that fails, the last
     * ones are used.
     */
    current(): Promise<ReadonlyMap<string, StoredAccount>> {
      if (following?.healthy && known?.at === version) return Promise.resolve(known.accounts);
      // Callers share a read that began after the last change.
      if (following?.healthy && reading?.at === version) return reading.accounts;
      const at = version;
      reading = { at, accounts: read(at) };
      return reading.accounts;
    },
  };
}
