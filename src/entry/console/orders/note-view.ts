import type { Note } from '../../../domains/partners/notes/notes.ts';
import { operatorRoles } from '../../../domains/partners/people/people.ts';
import { iso } from '../../site/json/action.ts';
import type { OperatorCall } from '../action.ts';

/** Newest first; more than anybody reads. */
export const NOTES_SHOWN = 100;

/** Notes as a page shows them to this operator. */
export const notesView = (found: readonly Note[], { context, operator }: Pick<OperatorCall, 'context' | 'operator'>) =>
  found.map(({ noteId, author, text, writtenAt }) => ({
    id: String(noteId),
    author: author.replace(/^operator:/, ''),
    text,
    at: iso(writtenAt),
    can_delete:
      operatorRoles.may(operator.role, 'note') &&
      (author === context.who || operatorRoles.may(operator.role, 'manage')),
  }));

export type NoteView = ReturnType<typeof notesView>[number];
