import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { PATIENCE_MS } from '../eventually.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
export async function getBalance(base: string, key: string): Promise<{ status: number; body: any }> {
  const answer = await request(`${base}/account/balance`, { headers: { 'x-api-key': key } });
  return { status: answer.statusCode, body: await answer.body.json() };
}

/** Whether it is running; a zombie (state Z) is not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return false;
  }
}

/** Nothing listens on the port. */
export async function refused(port: number): Promise<boolean> {
  const socket = connect(port, 'localhost');
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}

export async function until(holds: () => Promise<boolean>, complaint: string): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    assert.ok(performance.now() < deadline, complaint);
    await sleep(50);
  }
}
