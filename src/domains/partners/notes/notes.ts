import type { Mode } from '../../../platform/contract/mode.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';

/** Operators' notes for each other. Only the owner's connection can read them: neither world, and so no partner, can. */
export interface Note {
  readonly noteId: bigint;
  readonly partnerId: number;
  /** Null: it is about the partner itself. */
  readonly mode: Mode | null;
  readonly orderId: bigint | null;
  /** As the audit log names them. */
  readonly author: string;
  readonly text: string;
  readonly writtenAt: Date;
}

export type NoteSubject =
  | { readonly partnerId: number }
  | { readonly partnerId: number; readonly mode: Mode; readonly orderId: bigint };

const MAX_NOTE = 1_000;

const columns = sql`
  id as "noteId", partner_id as "partnerId", mode, order_id as "orderId", author, text, written_at as "writtenAt"`;

export const notes = {
  async add(
    tx: Tx,
    subject: NoteSubject,
    { author, text, at }: { readonly author: string; readonly text: string; readonly at: Date },
  ): Promise<Note> {
    const trimmed = text.trim();
    if (trimmed === '') throw new Refused('invalid_note', 'a note has at least one letter');
    if ([...trimmed].length > MAX_NOTE) throw new Refused('note_too_long', `a note has at most ${MAX_NOTE} letters`);
    const { mode, orderId } = 'orderId' in subject ? subject : { mode: null, orderId: null };
    return tx.one<Note>(sql`
      insert into notes (partner_id, mode, order_id, author, text, written_at)
      values (${subject.partnerId}, ${mode}, ${orderId}, ${author}, ${trimmed}, ${at}) returning ${columns}`);
  },

  /** Newest first. */
  ofPartner: (db: Queryable, partnerId: number, limit: number): Promise<Note[]> =>
    db.query(sql`
      select ${columns} from notes where partner_id = ${partnerId} and order_id is null order by id desc limit ${limit}`),

  ofOrder: (db: Queryable, mode: Mode, orderId: bigint, limit: number): Promise<Note[]> =>
    db.query(sql`
      select ${columns} from notes where order_id = ${orderId} and mode = ${mode} order by id desc limit ${limit}`),

  /** Held, so that two who delete it come one after the other. */
  async hold(tx: Tx, noteId: bigint): Promise<Note> {
    const found = await tx.maybe<Note>(sql`select ${columns} from notes where id = ${noteId} for update`);
    if (!found) throw new Refused('note_not_found');
    return found;
  },

  async remove(tx: Tx, noteId: bigint): Promise<void> {
    await tx.run(sql`delete from notes where id = ${noteId}`);
  },
};
