import { readFile } from 'node:fs/promises';
import { text as wholeText } from 'node:stream/consumers';
import { addSupplier, environmentNames, shownAccount } from '../../actions/supplier-accounts.ts';
import { listSuppliers } from '../../domains/catalog/catalog.ts';
import { sourceOf, supplierAccounts } from '../../domains/supply/supply.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { accountKinds } from '../../platform/settings/supplier-fields.ts';
import { command, type OperatorContext } from './command.ts';
import { choice, required, text } from './options.ts';

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

export const supplierAccountCommands = [
  command({
    path: ['supplier', 'add'],
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
  }),
  command({
    path: ['supplier', 'show'],
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
