import { findPartner } from '../../domains/partners/accounts/accounts.ts';
import { type Note, type NoteSubject, notes } from '../../domains/partners/notes/notes.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action, mayHere, type OperatorContext } from '../action.ts';
import { bigId, choice, integer, invalid, required, text, the, type Values } from '../fields.ts';
import { targetOf } from '../sales/order-trail.ts';

const subject = {
  order: bigId('ORDER_ID', 'about this order'),
  partner: integer('PARTNER_ID', 'about this partner'),
  mode: choice(['live', 'sandbox'], 'whether the order is live or sandbox; live by default'),
};

async function subjectOf(
  { db, worlds }: OperatorContext,
  { order, partner, mode = 'live' }: Values<typeof subject>,
): Promise<NoteSubject> {
  if ((order === undefined) === (partner === undefined))
    throw invalid`give either ${the('order')} or ${the('partner')}`;
  if (partner !== undefined) return { partnerId: (await findPartner(db, partner)).partnerId };
  const found = order === undefined ? undefined : await worlds[mode].orders.all.read(order);
  if (!found) throw new Refused('order_not_found');
  return { partnerId: found.partnerId, mode, orderId: found.id };
}

const targetIn = ({ partnerId, mode, orderId }: Pick<Note, 'partnerId' | 'mode' | 'orderId'>): string =>
  mode === null || orderId === null ? `partner ${partnerId}` : targetOf(orderId, mode);

const shown = ({ noteId, author, text, writtenAt }: Note) => ({ note_id: noteId, author, written_at: writtenAt, text });

/**
 * Notes that operators leave each other. Their text is stored nowhere else: the audit log records only who wrote and who deleted
 * one.
 */
export const noteActions = [
  action({
    name: 'note add',
    console: { may: 'note' },
    summary: 'Write a note about an order or a partner for other operators; partners never see it',
    options: { ...subject, text: required(text('TEXT', 'the note')) },
    async run(context, { text, ...options }) {
      const about = await subjectOf(context, options);
      return change(context, 'note add', async (tx) => {
        const note = await notes.add(tx, about, { author: context.who, text, at: new Date(context.clock.now()) });
        const { noteId, partnerId } = note;
        return { target: targetIn(note), partnerId, after: { note_id: noteId }, result: shown(note) };
      });
    },
  }),
  action({
    name: 'note list',
    console: 'shown',
    summary: 'List the notes about an order or a partner, newest first',
    options: { ...subject, limit: integer('N', 'at most this many; 50 by default') },
    async run(context, { limit = 50, ...options }) {
      const about = await subjectOf(context, options);
      const { db } = context;
      const found =
        'orderId' in about
          ? await notes.ofOrder(db, about.mode, about.orderId, limit)
          : await notes.ofPartner(db, about.partnerId, limit);
      return found.map(shown);
    },
  }),
  action({
    name: 'note delete',
    console: { may: 'note' },
    summary: 'Delete a note; in the console only its author and admins can',
    args: { id: required(bigId('NOTE_ID', 'the note')) },
    run: (context, { id }) =>
      change(context, 'note delete', async (tx) => {
        const note = await notes.hold(tx, id);
        if (note.author !== context.who && !mayHere(context, 'manage'))
          throw new Refused('role_forbids', 'only its author or an admin can delete a note');
        await notes.remove(tx, id);
        const before = { note_id: id, author: note.author, written_at: note.writtenAt };
        return { target: targetIn(note), partnerId: note.partnerId, before, result: { note_id: id, deleted: true } };
      }),
  }),
];
