import { mkdirSync, writeFileSync } from 'node:fs';
import { machine } from '../../test/support/program/machine.ts';
import { operations } from './described.ts';
import type { Figures } from './fuzz.ts';

const number = (value: number): string => value.toLocaleString('en-US');
const counted = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `| \`${name}\` | ${number(times)} |`)
    .join('\n');

/** `docs/proofs/fuzz.md` */
export function writeReport(
  seed: number,
  { requests, ms, statuses, operations: sent, memory, findings, orders }: Figures,
): void {
  const of = (kind: string) => findings.filter((one) => one.kind === kind).reduce((sum, { times }) => sum + times, 0);
  const described = operations.filter(({ path }) => sent[path] !== undefined).length;
  const list = findings.map(
    ({ kind, about, times, request }) => `- ${times} × ${kind}: ${about}\n\n\`\`\`http\n${request}\n\`\`\`\n`,
  );
  const text = `# Generated requests

\`npm run fuzz -- --seed ${seed} --requests ${requests} --report\` · \`proving/fuzz/\`

Requests drawn from \`openapi.json\`, from the declared addresses of the panel and the console, and to public pages: as described,
almost as described, and hostile. Each answer must have a status, a code and a body that the description has for its operation; a
field it does not name is a finding, too. At the end the ledger is proved.

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${machine()}
- Seed: ${seed}
- Requests: **${number(requests)}** in ${number(Math.round(ms / 1_000))} s (${number(Math.round(requests / (ms / 1_000)))} per second); they made ${number(orders)} orders
- Operations of the description: ${described} of ${operations.length}
- **${of('server error')} × 500**, **${of('undeclared')} undeclared**, ${of('no answer')} without an answer, ${of('unavailable')} × 503, ${of('granted')} granted that had to be refused, ${of('not the same')} purchases made twice, ${of('slow')} slower than 15 s. A 500 below was asked for, which the sandbox does for any error; who breaks off gets no answer
- Resident memory of the server after each ${number(10_000)} requests: first ${memory[0]} MB, median ${memory.toSorted((a, b) => a - b)[memory.length >> 1]} MB, highest ${Math.max(...memory)} MB, last ${memory.at(-1)} MB
- No key, session, webhook secret or activation code in anything the server logged
- The ledger is proved, and no supplier was asked twice for one order

${findings.length > 0 ? `## Findings\n\n${list.join('\n')}\n` : ''}| Status | Answers |
| --- | ---: |
${counted(statuses)}

| Sent to | Requests |
| --- | ---: |
${counted(sent)}
`;
  mkdirSync('docs/proofs', { recursive: true });
  writeFileSync('docs/proofs/fuzz.md', text);
}
