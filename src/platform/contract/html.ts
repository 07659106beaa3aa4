/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | false | null | undefined | readonly Part[];

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (part === false || part === null || part === undefined) return '';
  return typeof part === 'object' ? part.map(written).join('') : escaped(String(part));
}

/** html`<p>${text}</p>`: everything that is not HTML itself is escaped, so no value can become markup. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, next, i) => text + written(parts[i - 1]) + next));
