import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { Session } from './session.ts';

/** Database notifications, as hints. While `healthy` is false, nothing a notification would have cleared may be served from memory. */
export type Listener = Awaited<ReturnType<typeof listenForNotifications>>;

const HEARTBEAT_MS = 400;
const HEARTBEAT_LIMIT_MS = 500;
const RETRY_MS = 250;

/** One connection that listens, checks with a heartbeat that it is alive, and reconnects by itself. */
export async function listenForNotifications(url: string, channels: readonly string[], log: Log) {
  const handlers = new Map<string, ((payload: string) => void)[]>();
  const forgetters: (() => void)[] = [];
  let client: Session | undefined;
  let healthy = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new Session({
      url,
      name: 'listen',
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_LIMIT_MS,
      keepAlive: true,
    });
    client = fresh;
    fresh.on('error', () => lost(fresh));
    fresh.on('end', () => lost(fresh));
    fresh.on('notification', ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload ?? '');
    });
    try {
      await fresh.connect();
      for (const channel of channels) await fresh.query(`listen ${channel}`);
    } catch {
      lost(fresh);
      return;
    }
    if (client !== fresh || closed) return void fresh.end().catch(() => {});
    for (const forget of forgetters) forget();
    healthy = true;
    beat(fresh);
  }

  function beat(current: Session): void {
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => current === client && !closed && beat(current),
        () => lost(current),
      );
    }, HEARTBEAT_MS).unref();
  }

  function lost(which: Session): void {
    if (which !== client || closed) return;
    client = undefined;
    clearTimeout(timer);
    if (healthy) log.warn('lost the notification connection; caches are off until it is back');
    healthy = false;
    which.end().catch(() => {});
    timer = setTimeout(() => void connect(), RETRY_MS).unref();
  }

  await connect();
  return {
    get healthy(): boolean {
      return healthy;
    },
    on(channel: string, handler: (payload: string) => void): void {
      handlers.set(channel, [...(handlers.get(channel) ?? []), handler]);
    },
    /** Called at every connection after a loss: notifications sent in between are lost, so caches start over. */
    onReconnect(forget: () => void): void {
      forgetters.push(forget);
    },
    async close(): Promise<void> {
      closed = true;
      healthy = false;
      clearTimeout(timer);
      // A frozen server never answers the goodbye.
      const goodbye = client?.end().catch(() => {});
      await Promise.race([goodbye, wait(HEARTBEAT_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
