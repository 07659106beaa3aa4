import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';

/** Database notifications as hints. While `healthy` is false nothing may be trusted from memory that a notification would have cleared. */
export interface Listener {
  readonly healthy: boolean;
  on(channel: string, hear: (payload: string) => void): void;
  /** Called at every (re)connection: what was missed in between is unknown, so caches start over. */
  onReconnect(forget: () => void): void;
  close(): Promise<void>;
}

const HEARTBEAT_MS = 400;
const HEARTBEAT_LIMIT_MS = 500;
const RETRY_MS = 250;

/** One connection that listens, proves itself alive by a heartbeat, and comes back by itself. */
export async function listen(url: string, channels: readonly string[], log: Log): Promise<Listener> {
  const hearers = new Map<string, ((payload: string) => void)[]>();
  const forgetters: (() => void)[] = [];
  let client: pg.Client | undefined;
  let healthy = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: 'wayfare listen',
      connectionTimeoutMillis: 3_000,
      query_timeout: HEARTBEAT_LIMIT_MS,
      keepAlive: true,
    });
    client = fresh;
    fresh.on('error', () => lost(fresh));
    fresh.on('end', () => lost(fresh));
    fresh.on('notification', ({ channel, payload }) => {
      for (const hear of hearers.get(channel) ?? []) hear(payload ?? '');
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

  function beat(current: pg.Client): void {
    timer = setTimeout(() => {
      current.query('select 1').then(
        () => current === client && !closed && beat(current),
        () => lost(current),
      );
    }, HEARTBEAT_MS).unref();
  }

  function lost(which: pg.Client): void {
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
    get healthy() {
      return healthy;
    },
    on(channel, hear) {
      hearers.set(channel, [...(hearers.get(channel) ?? []), hear]);
    },
    onReconnect(forget) {
      forgetters.push(forget);
    },
    async close() {
      closed = true;
      healthy = false;
      clearTimeout(timer);
      // A frozen server never answers the goodbye.
      const goodbye = client?.end().catch(() => {});
      await Promise.race([goodbye, wait(HEARTBEAT_LIMIT_MS, undefined, { ref: false })]);
    },
  };
}
