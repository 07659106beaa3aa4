import { createHash } from 'node:crypto';
import type { Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { SiteSettings } from '../../../platform/settings/site.ts';

/** How the operator's documents look. Kept once for all that look alike: a PDF never changes, whatever the settings become. */
export type Look = Pick<SiteSettings, 'name' | 'color' | 'logo'>;

export interface StoredLook {
  readonly lookName: string;
  readonly color: string | null;
  readonly logoType: string | null;
  readonly logo: Buffer | null;
}

export const lookColumns = sql`look.name as "lookName", look.color, look.logo_type as "logoType", look.logo`;

export const lookOf = ({ lookName, color, logoType, logo }: StoredLook): Look => ({
  name: lookName,
  color: color ?? undefined,
  logo: logoType === null || logo === null ? undefined : { type: logoType, bytes: logo },
});

export async function keepLook(tx: Tx, { name, color, logo }: Look): Promise<number> {
  const digest = createHash('sha256')
    .update(JSON.stringify([name, color ?? null, logo?.type ?? null]))
    .update(logo?.bytes ?? '')
    .digest();
  const found = () => tx.maybe<{ id: number }>(sql`select id from invoice_looks where digest = ${digest}`);
  const known = await found();
  if (known) return known.id;
  await tx.run(sql`
    insert into invoice_looks (digest, name, color, logo_type, logo)
    values (${digest}, ${name}, ${color ?? null}, ${logo?.type ?? null}, ${logo?.bytes ?? null}) on conflict do nothing`);
  return ((await found()) as { id: number }).id;
}
