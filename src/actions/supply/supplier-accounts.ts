import { readFile } from 'node:fs/promises';
import { text as wholeText } from 'node:stream/consumers';
import { listSuppliers, supplierRows } from '../../domains/catalog/catalog.ts';
import { supplierKinds as allKinds } from '../../domains/catalog/import-format/import-format.ts';
import {
  hasSettings,
  isInEnvironment,
  type StoredAccount,
  sourceOf,
  supplierAccounts,
} from '../../domains/supply/supply.ts';
import { type Author, amend, change } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { isSilent, listProcesses } from '../../platform/jobs/processes.ts';
import { accountKinds } from '../../platform/settings/supplier-fields.ts';
import type { Vault } from '../../platform/vault/secrets.ts';
import type { Base } from '../../worlds/base.ts';
import { action, type OperatorContext } from '../action.ts';
import { choice, required, text } from '../fields.ts';
import type { Subject } from '../four-eyes.ts';

type Parts = Pick<Base, 'clock' | 'vault' | 'supplierKinds' | 'supplierAccounts'>;

const LONGEST_TITLE = 200;

interface NewSupplier {
  readonly slug: string;
  readonly kind: string;
  readonly title: string;
  /** By the names of the kind's fields. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** An account as it may be shown: of secrets, only which are set. */
export const shownAccount = (vault: Vault, account: StoredAccount) => ({
  settings: account.settings,
  secrets_set: supplierAccounts.secretsOf(vault, account),
  updated_at: account.updatedAt,
});

/** A supplier with its account, if that is in the database. */
export async function holdSupplier(tx: Tx, vault: Vault, slug: string) {
  const supplier = (await listSuppliers(tx)).find((one) => one.supplier === slug);
  if (!supplier) throw new Refused('supplier_not_found');
  const account = await supplierAccounts.hold(tx, slug);
  return account ? { ...supplier, account: shownAccount(vault, account) } : supplier;
}

/** What can be refused before anything is read. */
export function requireAddable({ slug, kind, title, settings }: NewSupplier) {
  const values = supplierAccounts.readValues(kind, settings);
  requireSlug(slug, kind);
  return { values, called: requireTitle(title) };
}

/** Adds a supplier with its account, or an account to a supplier whose plans were imported from a file. */
export async function addSupplier(author: Author, parts: Parts, { slug, kind, title, settings }: NewSupplier) {
  const { values, called } = requireAddable({ slug, kind, title, settings });
  const added = await change(author, 'supplier add', async (tx) => {
    const names = await environmentNames(tx, parts);
    const known = (await listSuppliers(tx)).find(({ supplier }) => supplier === slug);
    if (isInEnvironment(names, { slug, kind }) || (known && hasSettings(names, { slug, kind: known.kind })))
      throw inEnvironment(slug);
    if (known && known.kind !== kind)
      throw new Refused('supplier_exists', `${slug} exists already, and is of kind ${known.kind}`);
    // A concurrent request that adds the same supplier waits here.
    await supplierRows.introduce(tx, slug, called, kind);
    if (await supplierAccounts.hold(tx, slug))
      throw new Refused('supplier_exists', `${slug} has an account already; change that one`);
    await supplierAccounts.write(tx, parts.vault, { slug, kind, title: called, values }, new Date(parts.clock.now()));
    const result = await holdSupplier(tx, parts.vault, slug);
    return { target: `supplier ${slug}`, after: result, result };
  });
  parts.supplierAccounts.changed();
  return added;
}

interface AccountChange {
  readonly title?: string | undefined;
  /** The fields to change: null removes an optional one, fields not named stay. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** Changes an account in the caller's transaction; afterwards `supplierAccounts.changed()` is due. */
export async function changeAccount(tx: Tx, parts: Parts, slug: string, { title, settings = {} }: AccountChange) {
  const account = await supplierAccounts.hold(tx, slug);
  const kind = account?.kind ?? (await listSuppliers(tx)).find(({ supplier }) => supplier === slug)?.kind ?? '';
  const names = await environmentNames(tx, parts);
  if (isInEnvironment(names, { slug, kind }) || (!account && hasSettings(names, { slug, kind })))
    throw inEnvironment(slug);
  if (!account) throw new Refused('supplier_not_configured', `${slug} has no account that could be changed`);
  const values = supplierAccounts.readValues(kind, settings, supplierAccounts.valuesOf(parts.vault, account));
  const called = title === undefined ? account.title : requireTitle(title);
  await supplierRows.introduce(tx, slug, called, kind);
  await supplierAccounts.write(tx, parts.vault, { slug, kind, title: called, values }, new Date(parts.clock.now()));
}

/** The same as a change of its own. */
export async function changeSupplier(author: Author, parts: Parts, slug: string, changed: AccountChange) {
  const show = (tx: Tx) => holdSupplier(tx, parts.vault, slug);
  const work = (tx: Tx) => changeAccount(tx, parts, slug, changed);
  const result = await amend(author, 'supplier set', `supplier ${slug}`, show, work);
  parts.supplierAccounts.changed();
  return result;
}

/** An account at a supplier needs a second operator whatever the amount: it decides where orders are placed. */
export async function accountSubject(
  { db }: Pick<OperatorContext, 'db'>,
  slug: string,
  words: string,
): Promise<Subject> {
  const account = (await supplierAccounts.list(db)).find((one) => one.slug === slug);
  const supplier = (await listSuppliers(db)).find((one) => one.supplier === slug);
  return {
    amounts: 'any',
    words,
    terms: {
      title: account?.title ?? 'no account',
      'account changed': account ? `${timestamp(account.updatedAt)} UTC` : 'never',
      markup: supplier?.markup_pct ? `${supplier.markup_pct} %` : 'none',
    },
  };
}

export const addingSupplier = (context: OperatorContext, { slug, kind, title }: Omit<NewSupplier, 'settings'>) =>
  accountSubject(context, slug, `Add the supplier ${title} (${slug}, ${kind}) with its credentials`);

/** What the environment of this process, or of any running one, has settings for: the command line may have none of its own. */
async function environmentNames(
  db: Queryable,
  { supplierKinds, clock }: Pick<Parts, 'supplierKinds' | 'clock'>,
): Promise<string[]> {
  const alive = (await listProcesses(db)).filter((one) => !isSilent(one, clock.now()));
  return [...supplierKinds, ...alive.flatMap((one) => one.supplierKinds)];
}

const inEnvironment = (slug: string) =>
  new Refused(
    'supplier_in_environment',
    `the settings of ${slug} are in the environment of the server: change them there and restart it`,
  );

function requireSlug(slug: string, kind: string): void {
  if (!/^[a-z0-9-]{2,40}$/.test(slug))
    throw new Refused('invalid_supplier', 'a supplier’s short name is 2 to 40 small letters, digits and dashes');
  const named = slug.replaceAll('-', '_');
  if (named !== kind && allKinds.includes(named))
    throw new Refused('invalid_supplier', `${slug} names another kind of supplier; choose a different short name`);
}

function requireTitle(title: string): string {
  const trimmed = title.trim();
  if (trimmed === '' || trimmed.length > LONGEST_TITLE || /\p{Cc}/u.test(trimmed))
    throw new Refused('invalid_supplier', `a title has 1 to ${LONGEST_TITLE} characters on one line`);
  return trimmed;
}

export const settingsFile = text(
  'FILE',
  'a JSON object with the settings of its kind (docs/suppliers.md); - reads standard input',
);

/**
 * Credentials are read from a file or standard input, because process lists show command-line arguments. A refusal never repeats
 * them.
 */
export async function readSettingsFile(
  { withoutFiles }: Pick<OperatorContext, 'withoutFiles'>,
  file: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (withoutFiles) throw new Refused('invalid_input', 'the console sends the settings themselves, not a file');
  const content = await (file === '-' ? wholeText(process.stdin) : readFile(file, 'utf8')).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Refused('file_unreadable', `${file} cannot be read (${error.code ?? 'unreadable'})`);
    },
  );
  const settings = parsed(content);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new Refused('invalid_settings', `${file === '-' ? 'standard input' : file} must be one JSON object`);
  return settings as Readonly<Record<string, unknown>>;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

const slug = required(text('SLUG', 'the supplier'));

export const supplierAccountActions = [
  action({
    name: 'supplier add',
    console: { never: 'it reads a file; the console has its own form' },
    summary: 'Add a supplier with its account, without a restart; credentials are sealed and never shown again',
    args: { supplier: slug },
    options: {
      kind: required(choice(Object.keys(accountKinds), 'whose API it speaks')),
      title: required(text('TEXT', 'its display name')),
      settings: required(settingsFile),
    },
    run: async (context, { supplier, kind, title, settings }) =>
      addSupplier(context, context, {
        slug: supplier,
        kind,
        title,
        settings: await readSettingsFile(context, settings),
      }),
    fourEyes: {
      subject: (context, { supplier, kind, title }) => addingSupplier(context, { slug: supplier, kind, title }),
    },
  }),
  action({
    name: 'supplier show',
    console: 'shown',
    summary: 'Show a supplier and where its settings come from; credentials are never shown, only which are set',
    args: { supplier: slug },
    async run(context, { supplier }) {
      const { db, vault } = context;
      const found = (await listSuppliers(db)).find((one) => one.supplier === supplier);
      if (!found) throw new Refused('supplier_not_found');
      const account = (await supplierAccounts.list(db)).find((one) => one.slug === supplier);
      const names = await environmentNames(db, context);
      const source = sourceOf(names, { slug: supplier, kind: found.kind }, account !== undefined);
      return {
        ...found,
        settings_from: source,
        account: source === 'database' && account ? shownAccount(vault, account) : null,
      };
    },
  }),
];
