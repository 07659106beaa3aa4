import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { debianBinary } from '../../test/support/debian.ts';
import { LOAD_CORE, pinned } from './pinned.ts';

const run = promisify(execFile);

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

/** Requests answered per second under wrk. An answer that is not 2xx or 3xx, or a broken connection, spoils the run. */
export async function requestsPerSecond({ url, headers }: Target, { connections, seconds }: Load): Promise<number> {
  const wrk = await debianBinary('wrk');
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const [command, args] = pinned(LOAD_CORE, wrk.path, ['-t1', `-c${connections}`, `-d${seconds}s`, ...flags, url]);
  const { stdout } = await run(command, args, { env: { ...process.env, ...wrk.env } });
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} did not answer every request:\n${stdout}`);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  if (rate === undefined) throw new Error(`wrk said nothing of its rate:\n${stdout}`);
  return Number(rate);
}
