import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Log } from '../log.ts';
import type { Vault } from '../vault/secrets.ts';

/** What a process has once, and its parts are given: `Pick<Services, 'db' | 'clock'>`. */
export interface Services {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly vault: Vault;
}
