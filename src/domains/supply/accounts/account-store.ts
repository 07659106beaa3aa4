import type { Queryable, Tx } from '../../../platform/db/database.ts';
import type { Listener } from '../../../platform/db/notifications.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Log } from '../../../platform/log.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';
import { type AccountValues, readAccountValues, splitValues } from './account-fields.ts';

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
export interface Accounts {
  /**
   * Costs nothing while the notification connection is up and nothing has changed. Otherwise they are read; if that fails, the last
   * ones are used.
   */
  current(): Promise<ReadonlyMap<string, StoredAccount>>;
  /** They have just been changed here: the next call must not wait for the notification. */
  changed(): void;
  /** Starts to listen for changes. Without it every call reads the accounts. */
  follow(listener: Pick<Listener, 'healthy' | 'on' | 'onReconnect'>): void;
}

export function openAccounts(db: Queryable, log: Pick<Log, 'warn'>): Accounts {
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
    changed,
    follow(listener) {
      following = listener;
      listener.on(SUPPLIERS_CHANNEL, changed);
      listener.onReconnect(changed);
    },
    current() {
      if (following?.healthy && known?.at === version) return Promise.resolve(known.accounts);
      // Callers share a read that began after the last change.
      if (following?.healthy && reading?.at === version) return reading.accounts;
      const at = version;
      reading = { at, accounts: read(at) };
      return reading.accounts;
    },
  };
}
