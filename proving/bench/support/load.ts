import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { debianBinary } from '../../../test/support/debian/debian.ts';
import { LOAD_CORE, pinned } from './pinned.ts';

const run = promisify(execFile);

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The process that serves it. */
  readonly pid: number;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
}

export interface Measured {
  readonly requestsPerSecond: number;
  /** Processor time the serving process spent per request: steadier than a rate where others use the machine too. */
  readonly cpuMicroseconds: number;
}

/** One run of wrk. It fails on any answer that is not 2xx or 3xx and on any broken connection. */
export async function measure({ url, headers, pid }: Target, { connections, seconds }: Load): Promise<Measured> {
  const wrk = await debianBinary('wrk');
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const [command, args] = pinned(LOAD_CORE, wrk.path, ['-t1', `-c${connections}`, `-d${seconds}s`, ...flags, url]);
  const before = cpuSeconds(pid);
  const { stdout } = await run(command, args, { env: { ...process.env, ...wrk.env } });
  const spent = cpuSeconds(pid) - before;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} did not answer every request:\n${stdout}`);
  const rate = /Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1];
  const requests = /(\d+) requests in/.exec(stdout)?.[1];
  if (rate === undefined || requests === undefined) throw new Error(`wrk said nothing of its rate:\n${stdout}`);
  return { requestsPerSecond: Number(rate), cpuMicroseconds: (spent * 1e6) / Number(requests) };
}

const TICKS_PER_SECOND = 100;

/** User and system time of a process: fields 14 and 15 of its stat line, counted after the name, which may hold spaces. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number) as [number, number];
  return (user + system) / TICKS_PER_SECOND;
}
