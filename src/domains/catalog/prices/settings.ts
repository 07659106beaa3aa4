import { formatCents, parseCents } from '../../../platform/amounts/cents.ts';
import { type BasisPoints, formatPercent, parsePercent, toBasisPoints } from '../../../platform/amounts/percent.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { defaultShareTiers, type ShareTiers } from './formula.ts';

export interface PricingSettings {
  /** The largest share of a product's margin that may leave the operator, discount and unused-data share together. */
  readonly cap: BasisPoints;
  readonly shareTiers: ShareTiers;
}

const defaultSettings: PricingSettings = { cap: toBasisPoints(6_000n), shareTiers: defaultShareTiers };

/** As stored in the settings table. Decimals are strings, so that no digit is lost. */
interface StoredTiers {
  readonly window_days: number;
  readonly tiers: readonly { readonly min_usd: string; readonly pct: string }[];
}

const CAP = 'total_share_cap_pct';
const TIERS = 'share_tiers';

export async function readPricingSettings(db: Queryable): Promise<PricingSettings> {
  const rows = await db.query<{ name: string; value: unknown }>(
    sql`select name, value from settings where name in (${CAP}, ${TIERS})`,
  );
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  const cap = stored.get(CAP);
  const tiers = stored.get(TIERS);
  return {
    cap: cap === undefined ? defaultSettings.cap : requireReadable(parsePercent(String(cap))),
    shareTiers: tiers === undefined ? defaultSettings.shareTiers : tiersFrom(tiers as StoredTiers),
  };
}

function tiersFrom({ window_days, tiers }: StoredTiers): ShareTiers {
  return {
    windowDays: window_days,
    tiers: tiers.map(({ min_usd, pct }) => ({
      min: requireReadable(parseCents(min_usd)),
      share: requireReadable(parsePercent(pct)),
    })),
  };
}

export const storedTiers = ({ windowDays, tiers }: ShareTiers): StoredTiers => ({
  window_days: windowDays,
  tiers: tiers.map(({ min, share }) => ({ min_usd: formatCents(min), pct: formatPercent(share) })),
});

export const writeCap = (tx: Tx, cap: BasisPoints): Promise<void> => write(tx, CAP, formatPercent(cap));
export const writeShareTiers = (tx: Tx, tiers: ShareTiers): Promise<void> => write(tx, TIERS, storedTiers(tiers));

async function write(tx: Tx, name: string, value: unknown): Promise<void> {
  await tx.run(sql`
    insert into settings (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)
    on conflict (name) do update set value = excluded.value`);
}

/** Only we write to this table, so anything unreadable is a bug. */
function requireReadable<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a pricing setting is unreadable');
  return value;
}
