import { rename, writeFile } from 'node:fs/promises';
import { findPartner, requireClosedPartner } from '../../domains/partners/accounts/accounts.ts';
import { requireEmail } from '../../domains/partners/people/people.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { erase, exportOf, type Subject } from '../../platform/privacy/privacy.ts';
import { action, type OperatorContext } from '../action.ts';
import { integer, invalid, text, the, type Values } from '../fields.ts';
import type { Subject as Proposed } from '../four-eyes.ts';

/** Rows of one export: at the command line, and in the console, which holds them all at once. */
const MOST = 500_000;
const MOST_IN_CONSOLE = 20_000;

const options = {
  iccid: text('ICCID', 'what is stored about an eSIM and whoever uses it'),
  email: text('ADDRESS', 'what is stored about a person'),
  reference: text('REFERENCE', 'what is stored about the orders that a partner gave this reference'),
  partner: integer('PARTNER_ID', 'what is stored about an account; erasing needs a closed one'),
};
type Chosen = Values<typeof options>;
const withFile = { ...options, file: text('FILE', 'where to write it; otherwise it is printed') };

function subjectOf({ iccid, email, reference, partner }: Chosen): Subject {
  const given: Subject[] = [
    ...(iccid === undefined ? [] : [{ kind: 'iccid' as const, value: iccid }]),
    ...(email === undefined ? [] : [{ kind: 'email' as const, value: email }]),
    ...(reference === undefined ? [] : [{ kind: 'reference' as const, value: reference }]),
    ...(partner === undefined ? [] : [{ kind: 'partner' as const, id: partner }]),
  ];
  if (email !== undefined) requireEmail(email);
  const [subject, another] = given;
  if (!subject || another)
    throw invalid`give exactly one of ${the('iccid')}, ${the('email')}, ${the('reference')} and ${the('partner')}`;
  return subject;
}

/** As the audit log names it: never by what is to be erased. */
const targetOf = ({ vault }: Pick<OperatorContext, 'vault'>, subject: Subject): string =>
  subject.kind === 'partner'
    ? `partner ${subject.id}`
    : `${subject.kind} ${vault.sign('privacy', subject.value.toLowerCase()).slice(0, 12)}`;

const proposing = <Input extends Chosen>(verb: string) => ({
  async subject({ db }: OperatorContext, input: Input): Promise<Proposed> {
    const subject = subjectOf(input);
    if (subject.kind === 'partner') {
      const { name } = await findPartner(db, subject.id);
      return { amounts: 'any', words: `${verb} ${name} (partner ${subject.id})`, terms: {}, partnerId: subject.id };
    }
    return { amounts: 'any', words: `${verb} ${subject.kind} ${JSON.stringify(subject.value)}`, terms: {} };
  },
});

export const privacyActions = [
  action({
    name: 'privacy export',
    console: { may: 'manage', fresh: true },
    summary: 'Write everything stored about a person, an eSIM, a reference or a partner as one JSON file',
    options: withFile,
    async run(context, { file, ...chosen }) {
      const { db, vault, clock, withoutFiles = false } = context;
      if (file !== undefined && withoutFiles) throw new Refused('invalid_input', 'the console shows the export itself');
      const subject = subjectOf(chosen);
      if (subject.kind === 'partner') await findPartner(db, subject.id);
      const target = targetOf(context, subject);
      return change(context, 'privacy export', async () => {
        const most = withoutFiles ? MOST_IN_CONSOLE : MOST;
        const data = await exportOf({ db, vault }, subject, most);
        if (!data)
          throw new Refused(
            'too_much_data',
            `there are more than ${most} rows: export single orders, or dump the database`,
          );
        const made = { subject, made_at: new Date(clock.now()), data };
        const rows = Object.values(data).reduce((sum, { length }) => sum + length, 0);
        if (file !== undefined) await writeWhole(file, `${JSON.stringify(made, null, 2)}\n`);
        const result = file === undefined ? made : { file, rows };
        return { target, after: { rows }, result, shownOnce: 'export it again' };
      });
    },
    text: (result) => ('file' in result ? result : `${JSON.stringify(result, null, 2)}\n`),
    fourEyes: proposing<Values<typeof withFile>>('Export everything stored about'),
  }),
  action({
    name: 'privacy erase',
    console: { may: 'manage', fresh: true },
    summary: 'Erase what is stored about a person, an eSIM, a reference or a closed partner; says what it kept and why',
    options,
    async run(context, chosen) {
      const { db, vault, progress } = context;
      const subject = subjectOf(chosen);
      if (subject.kind === 'partner') await requireClosedPartner(db, subject.id);
      // The entry comes first: whatever is erased has one, also after a kill. Erasing again finishes it.
      await change(context, 'privacy erase', () => ({ target: targetOf(context, subject), result: undefined }));
      return erase({ db, vault }, subject, (table) => progress(table, 0, 0));
    },
    text: ({ erased, kept }) => [
      ...Object.entries(erased).map(([table, rows]) => ({ table, rows, what: 'erased' })),
      ...kept.map(({ table, rows, why }) => ({ table, rows, what: `kept: ${why}` })),
    ],
    fourEyes: proposing<Chosen>('Erase what is stored about'),
  }),
];

/** Appears when it is complete, and only its owner can read it. */
async function writeWhole(file: string, content: string): Promise<void> {
  await writeFile(`${file}.part`, content, { mode: 0o600, flush: true });
  await rename(`${file}.part`, file);
}
