import { readFile, writeFile } from 'node:fs/promises';
import type { Recorded } from '../../openapi/recorded.ts';
import { eventNames, sentWhen } from '../../src/domains/messages/events/events.ts';

const guide = new URL('../../docs/guides/events.md', import.meta.url);
const HEADING = '## Every event\n';

/** Each event with when it is sent and the body that was recorded of it, as the guide shows them. */
const sections = (events: Recorded['events']): string =>
  eventNames
    .map(
      (name) =>
        `### \`${name}\`\n\n${sentWhen[name]}\n\n\`\`\`json\n${JSON.stringify(events[name], null, 2)}\n\`\`\`\n`,
    )
    .join('\n');

/** The guide as it is, and as it is with these bodies. */
export async function eventGuide(events: Recorded['events']): Promise<{ written: string; due: string }> {
  const written = await readFile(guide, 'utf8');
  const [above = ''] = written.split(HEADING);
  return { written, due: `${above}${HEADING}\n${sections(events)}` };
}

export async function writeEventGuide(events: Recorded['events']): Promise<void> {
  await writeFile(guide, (await eventGuide(events)).due);
}
