import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { nothing, sql } from '../db/query/sql.ts';
import type { Vault } from '../vault/secrets.ts';

/*
 * The audit log as a file that can be kept elsewhere and proved later: JSON lines, each with the hash of the line before, and a last
 * one with their number and a signature of the chain. Nobody can change, add or take away a line without the secret.
 */

const START = '0'.repeat(64);
const PURPOSE = 'audit export';
const READ_AT_ONCE = 1_000;

const hashOf = (line: string): string => createHash('sha256').update(line).digest('hex');

interface Period {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** Lines without their ends, oldest entry first. */
export async function* auditLines(db: Db, vault: Vault, { from, to }: Period): AsyncGenerator<string> {
  let previous = START;
  let count = 0;
  for (let after = 0n; ; ) {
    const entries = await db.query<{ id: bigint; entry: object }>(sql`
      select id, jsonb_build_object('id', id, 'at', at, 'who', who, 'what', what, 'target', target, 'before', before, 'after', after,
        'partner_id', partner_id) as entry
      from shared.audit_log where id > ${after}
        ${from ? sql`and at >= ${from}` : nothing} ${to ? sql`and at < ${to}` : nothing}
      order by id limit ${READ_AT_ONCE}`);
    for (const { entry } of entries) {
      const line = JSON.stringify({ ...entry, previous });
      previous = hashOf(line);
      count += 1;
      yield line;
    }
    const last = entries.at(-1);
    if (!last) break;
    after = last.id;
  }
  yield JSON.stringify({
    lines: count,
    from: from ?? null,
    to: to ?? null,
    previous,
    signature: sign(vault, previous, count),
  });
}

const signed = (previous: string, lines: number): string => `${previous} ${lines}`;
const sign = (vault: Vault, previous: string, lines: number): string => vault.sign(PURPOSE, signed(previous, lines));

export type Verdict =
  | { readonly ok: true; readonly lines: number }
  | { readonly ok: false; readonly line: number; readonly problem: string };

/** Proves the chain of a file, or names the first line at which it breaks. */
export async function verifyLines(vault: Vault, lines: AsyncIterable<string>): Promise<Verdict> {
  let previous = START;
  let at = 0;
  let end: { readonly lines: number; readonly signature: string } | undefined;
  for await (const line of lines) {
    at += 1;
    const broken = (problem: string): Verdict => ({ ok: false, line: at, problem });
    if (end) return broken('there is a line after the last one');
    const read = objectIn(line);
    if (!read) return broken('it is not a JSON object');
    if (read.previous !== previous)
      return broken('it does not follow the line before: one was changed, added or taken away');
    if (typeof read.signature === 'string') {
      if (read.lines !== at - 1 || !vault.verify(PURPOSE, signed(previous, at - 1), read.signature))
        return broken('the signature is not that of this chain');
      end = { lines: at - 1, signature: read.signature };
    }
    previous = hashOf(line);
  }
  return end
    ? { ok: true, lines: end.lines }
    : { ok: false, line: at + 1, problem: 'the last line, with the signature, is missing' };
}

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null ? (read as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}
