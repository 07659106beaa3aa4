import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pkg from '../../../package.json' with { type: 'json' };
import type { Action, InConsole } from '../../actions/action.ts';
import { type Fields, required, text, type Values } from '../../actions/fields.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { takeBackup } from '../../platform/db/backup/backup.ts';
import { requireWholeBackup } from '../../platform/db/backup/backup-reader.ts';
import { readManifest, restoreBackup } from '../../platform/db/backup/restore.ts';
import { createLog, type Log } from '../../platform/log.ts';
import { type Config, readConfig } from '../../platform/settings/config.ts';
import { isMarkOf, type Mark, openVault } from '../../platform/vault/secrets.ts';
import { proveBoth } from '../../worlds/books.ts';
import type { Command } from './help.ts';
import { progressBar } from './print.ts';

/**
 * What these two run with. Other commands need a current schema and check the secret when they open the database. A backup is
 * often taken right before an upgrade, by either version; a restore needs the database empty.
 */
type Storage = ReturnType<typeof openStorage>;

/** Every command reads this file, and the base is most of the program: help needs none of it. */
const loadBase = () => import('../../worlds/base.ts');

export function openStorage() {
  const undo = new AsyncDisposableStack();
  return {
    config: readConfig(),
    log: createLog('warn', (line) => process.stderr.write(line)),
    /** Stops at the end what was started for the command. */
    undo,
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

function storageCommand<A extends Fields>(
  declared: Omit<Action<string, InConsole, A>, 'run'> & { run(storage: Storage, input: Values<A>): Promise<unknown> },
): Command {
  return declared as unknown as Command;
}

export const backupCommands: readonly Command[] = [
  storageCommand({
    name: 'backup',
    console: { never: 'it writes a file on the machine it runs on' },
    summary:
      'Write the whole database to one file while the server runs; it does not contain the secret: back that up separately',
    args: {
      file: required(text('FILE', 'the file to write; it appears when it is complete and replaces an existing one')),
    },
    async run({ config, log, undo }, { file }) {
      const url = config.databaseUrl ?? (await existingDatabase(config.dataDir, log, undo));
      const { bytes, takenAt, rows } = await takeBackup(url, resolve(file), pkg.version, progressBar);
      return { file: resolve(file), taken_at: takenAt, rows, bytes };
    },
  }),
  storageCommand({
    name: 'restore',
    console: { never: 'it replaces the database while the server is stopped' },
    summary: 'Restore a backup into an empty data folder, with the secret it was made with, and prove its ledger',
    args: { file: required(text('FILE', 'a file that `backup` wrote')) },
    async run({ config, log, undo }, { file }) {
      const { version, takenAt, mark } = await readManifest(resolve(file));
      await requireSecretOf(mark as Mark, config);
      await requireWholeBackup(resolve(file), (bytes, ofBytes) => progressBar('check', bytes, ofBytes));
      const { ownDatabase } = await loadBase();
      const url = config.databaseUrl ?? (await ownDatabase(config.dataDir, 'server', log, undo));
      const rows = await restoreBackup(url, resolve(file), progressBar);
      const { ok, proof, ...books } = await proveBoth(url, progressBar);
      return { ok, taken_at: takenAt, made_by: version, rows, ...books };
    },
  }),
];

async function existingDatabase(dataDir: string, log: Log, undo: AsyncDisposableStack): Promise<string> {
  // Without this a wrong WAYFARE_DATA would make a new database and back up nothing.
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new Refused('no_database', `there is no database in ${dataDir}`);
  });
  const { ownDatabase } = await loadBase();
  return ownDatabase(dataDir, 'guest', log, undo);
}

/** Checked first: with another secret the restored data could never be read. None is made here, unlike at a first start. */
async function requireSecretOf(mark: Mark | null, { secret, oldSecrets, dataDir }: Config): Promise<void> {
  const { keptSecret } = await loadBase();
  const ours = secret ?? (await keptSecret(dataDir));
  if (!ours)
    throw new Refused(
      'no_secret',
      `set WAYFARE_SECRET, or copy the file \`secret\` of the backed-up server to ${dataDir}`,
    );
  if (mark && !isMarkOf(openVault(ours, oldSecrets), mark))
    throw new Refused('wrong_secret', 'WAYFARE_SECRET is not the secret the backup was sealed with');
}
