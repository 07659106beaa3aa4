import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { debianBinary } from '../../../test/support/debian/debian.ts';

const run = promisify(execFile);

/** Transactions per second of pgbench: its own TPC-B, or a script of ours. */
export async function pgbench(url: string, args: readonly string[]): Promise<number> {
  const { path, env } = await debianBinary('pgbench');
  const { stdout } = await run(path, [...args, url], { env: { ...process.env, ...env } });
  const rate = /tps = ([\d.]+)/.exec(stdout)?.[1];
  if (rate === undefined && !args.includes('-i')) throw new Error(`pgbench said nothing of its rate:\n${stdout}`);
  return Number(rate ?? 0);
}
