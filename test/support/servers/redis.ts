import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { debianBinary } from '../debian/debian.ts';
import { freePort } from '../program/ports.ts';

interface RedisServer extends AsyncDisposable {
  readonly url: string;
  start(): Promise<void>;
  /** Without a word to its clients, as a machine that loses power. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  command(...words: [string, ...string[]]): Promise<unknown>;
}

/** A Redis of the test's own that keeps nothing on disk. */
export async function redisServer(): Promise<RedisServer> {
  const { path, env } = await debianBinary('redis-server');
  const port = await freePort();
  let server: ChildProcess | undefined;

  async function kill(): Promise<void> {
    const running = server;
    server = undefined;
    if (running === undefined || running.exitCode !== null) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  }

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    server = spawn(path, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
    while (!(await answers(port))) {
      if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`);
      await sleep(20);
    }
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    async command(name, ...args) {
      const client = new Redis(port);
      return client.call(name, ...args).finally(() => client.disconnect());
    },
    [Symbol.asyncDispose]: kill,
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
