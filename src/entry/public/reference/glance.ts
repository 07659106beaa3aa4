export type Row = readonly [name: string, text: string];

const forms: readonly (readonly [name: string, form: RegExp, write: (parts: readonly string[]) => string])[] = [
  ['Rate', /^Rate tier (`\w+`): (.+)\.$/, ([tier, limit]) => `${limit} (tier ${tier})`],
  ['Permission', /^A restricted key needs the permission (`\w+(?:`; .+|`))\.$/, ([permission]) => permission ?? ''],
  [
    'Can simulate',
    /^Errors it can simulate beyond the common four: (.+)\.$/,
    ([codes]) => `${codes}, and the common four`,
  ],
];

/** What a description says in sentences of a fixed form, for a table: they are written from the endpoint's own declaration. */
export function glance(description: string) {
  /** The other paragraphs. */
  const text: string[] = [];
  /** What an answer means, by its status and state; Markdown. */
  const outcomes: Row[] = [];
  /** Rate, permission and what can be simulated; Markdown. */
  const facts: Row[] = [];
  for (const paragraph of description.split('\n\n')) {
    const named = forms.flatMap(([name, form, write]): Row[] => {
      const found = form.exec(paragraph);
      return found ? [[name, write(found.slice(1))]] : [];
    });
    const ends = paragraph.startsWith('**2') ? paragraph.split(/ (?=\*\*\d{3} )/).map(outcomeIn) : [undefined];
    if (named.length > 0) facts.push(...named);
    else if (ends.every((one) => one !== undefined)) outcomes.push(...ends);
    else text.push(paragraph);
  }
  return { text: text.join('\n\n'), outcomes, facts };
}

function outcomeIn(sentence: string): Row | undefined {
  const [, answer, meaning] = /^\*\*(\d{3} `\w+`)\*\*: (.+)$/s.exec(sentence) ?? [];
  return answer === undefined || meaning === undefined
    ? undefined
    : [answer, `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`];
}
