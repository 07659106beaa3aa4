import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Place } from './embedded-place.ts';

/**
 * Who may log in to the embedded server. The socket's mode keeps other users out, but not other processes of the same user,
 * and as root that user is `nobody`, which other services run as too. So the server asks for a password, which only the user
 * who runs Wayfare can read.
 *
 * The rule file lies beside the database folder, not in it: the database folder belongs to the server's user, who could
 * otherwise change the rule.
 */
const RULES = '# Written by Wayfare at every start.\nlocal all all scram-sha-256\n';

/** The one role that logs in, and the owner of everything. */
export const USER = 'wayfare';

/** The password of a server that has one; a folder of an earlier version has none until a server starts on it. */
export async function readPassword({ passwordFile }: Place): Promise<string | undefined> {
  return (await readFile(passwordFile, 'utf8').catch(() => undefined))?.trim();
}

/** The password and the rule that demands it, made if they are missing. Only while the server is stopped. */
export async function ensurePassword(place: Place): Promise<string> {
  await writeWhole(place.rulesFile, RULES, 0o644);
  const kept = await readPassword(place);
  if (kept) return kept;
  const password = randomBytes(24).toString('base64url');
  // The database first: if we are killed in between, there is no file and the next start makes a new password.
  await setPassword(place, password);
  await writeWhole(place.passwordFile, `${password}\n`, 0o600);
  return password;
}

/** PostgreSQL's single-user mode: no socket, no login, statements from standard input. */
async function setPassword({ binDir, dataDir, owner }: Place, password: string): Promise<void> {
  const args = ['--single', '-D', dataDir, '-c', 'log_min_error_statement=panic', 'postgres'];
  const child = spawn(join(binDir, 'postgres'), args, { ...owner, stdio: ['pipe', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(`alter role ${USER} password '${password}'\n`);
  const [code] = await once(child, 'close');
  if (code !== 0 || /^.*(ERROR|FATAL|PANIC):/m.test(complaint))
    throw new Error(`the database's password could not be set: ${complaint.trim()}`);
}

/** The file appears with its whole content or not at all. */
async function writeWhole(file: string, content: string, mode: number): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, content, { mode, flush: true });
  // Whatever the umask is.
  await chmod(draft, mode);
  await rename(draft, file);
}
