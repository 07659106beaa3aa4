import { readFileSync } from 'node:fs';
import { ConfigError } from '../settings/environment.ts';

/** What a server opens before its first client comes: its pages, connections to the database, and the embedded database's own. */
const LEAST = 512;

/** How many files and connections this process may have open. Node has already raised it as far as it may. */
export function openFilesLimit(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function requireOpenFiles(): void {
  const limit = openFilesLimit();
  if (limit < LEAST)
    throw new ConfigError(
      `this process may open ${limit} files and connections, and needs ${LEAST} at least: raise \`ulimit -n\`, or LimitNOFILE= of its unit`,
    );
}

/** The sentence to log if clients can exhaust what the process may open; undefined: they cannot. */
export function tooFewFilesFor(connections: number): string | undefined {
  const limit = openFilesLimit();
  return limit >= connections + LEAST
    ? undefined
    : `MAX_CONNECTIONS is ${connections}, and this process may open only ${limit} files and connections: raise \`ulimit -n\`, or LimitNOFILE= of its unit`;
}
