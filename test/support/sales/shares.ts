import {
  createRevenueShare,
  type RevenueShare,
  type TakeReadings,
} from '../../../src/domains/billing/revenue-share/rounds.ts';
import { type Drift, proveBooks } from '../../../src/domains/money/proof/prove.ts';
import { type Db, openDatabase } from '../../../src/platform/db/database.ts';
import { worldRole } from '../../../src/platform/db/migrate/rights.ts';
import type { TestApp } from '../program/app.ts';

/** Suppliers that did not answer: the stored reading is used. */
export const silent: TakeReadings = async (sales) => new Map(sales.map(({ orderId }) => [orderId, undefined]));

export const revenueShareOn = (db: Db, takeReadings: TakeReadings = silent): RevenueShare =>
  createRevenueShare({ db, takeReadings, chance: () => 0 });

export const revenueShare = (t: TestApp, takeReadings?: TakeReadings): RevenueShare =>
  revenueShareOn(t.base.worlds.live.db, takeReadings);

/** The live world's connections as another process opens them. */
export const liveConnection = (url: string, more: { statementTimeoutMs?: number } = {}): Db =>
  openDatabase({ url, name: 'test', role: worldRole.live, searchPath: 'live,shared', ...more });

/** What the audit finds wrong with revenue shares. */
export async function drift(db: Db): Promise<readonly Drift[]> {
  const proof = await proveBooks(db, () => {});
  return proof.drift.filter(({ rule }) => rule.includes('revenue share'));
}
