import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { auditLines, verifyLines } from '../../platform/audit/audit-chain.ts';
import { Refused } from '../../platform/contract/refused.ts';
import { action } from '../action.ts';
import { invalid, required, text, the, time } from '../fields.ts';

const never = 'they print or read a file of lines';

export const auditFileActions = [
  // Before `audit`, whose words they begin with.
  action({
    name: 'audit export',
    console: { never },
    summary: 'Print the audit log as JSON lines, each with the hash of the line before, and a signature at the end',
    options: {
      from: time('only entries from this time on'),
      to: time('only entries before this time'),
    },
    async run({ db, vault }, { from, to }) {
      if (from && to && from >= to) throw invalid`${the('from')} must be before ${the('to')}`;
      const lines: string[] = [];
      for await (const line of auditLines(db, vault, { from, to })) lines.push(line);
      return { lines };
    },
    text: ({ lines }) => `${lines.join('\n')}\n`,
  }),
  action({
    name: 'audit verify',
    console: { never },
    summary: 'Prove that a file of `audit export` is as it was written; exits with 1 if it is not',
    args: { file: required(text('FILE', 'what `audit export` printed')) },
    async run({ vault }, { file }) {
      const input = createReadStream(file);
      const failed = new Promise<never>((_, reject) =>
        input.on('error', () => reject(new Refused('invalid_input', `${file} cannot be read`))),
      );
      const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
      return Promise.race([verifyLines(vault, lines), failed]);
    },
  }),
];
