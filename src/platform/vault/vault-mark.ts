import { randomBytes } from 'node:crypto';
import type { Db, Queryable } from '../db/database.ts';
import { sql } from '../db/query/sql.ts';
import type { Vault } from './secrets.ts';

export interface Mark {
  readonly nonce: string;
  readonly signature: string;
}

/** A signature kept in the database. A process that can verify it holds the secret everything else was sealed with. */
function newMark(vault: Vault): string {
  const nonce = randomBytes(8).toString('hex');
  return JSON.stringify({ nonce, signature: vault.sign('vault', nonce) });
}

/** Refuses to run with a secret other than the database's: nothing in it could be read. */
export async function checkVault(db: Db, vault: Vault): Promise<void> {
  const { value } = await db.one<{ value: Mark }>(sql`
    insert into settings (name, value) values ('vault', ${newMark(vault)}::jsonb)
    on conflict (name) do update set name = excluded.name returning value`);
  if (!isMarkOf(vault, value)) throw new Error('WAYFARE_SECRET is not the secret this database was sealed with');
}

export const isMarkOf = (vault: Vault, { nonce, signature }: Mark): boolean => vault.verify('vault', nonce, signature);

/** From here on the current secret is enough, and a process that has only an old one refuses to start. */
export async function renewMark(db: Queryable, vault: Vault): Promise<void> {
  await db.run(sql`update settings set value = ${newMark(vault)}::jsonb where name = 'vault'`);
}
