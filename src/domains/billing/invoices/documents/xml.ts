/** An element with its content, or undefined where it is left out. */
export type Xml = string | undefined;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What XML cannot hold, not even escaped: control characters, halves of a surrogate pair and noncharacters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu;

const escaped = (text: string): string =>
  text
    .replace(FORBIDDEN, ' ')
    .trim()
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');

function open(name: string, attributes: Readonly<Record<string, string>>): string {
  return [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ');
}

/** `<name>text</name>`; nothing where there is no text, because EN 16931 refuses empty elements. */
export function leaf(name: string, text: string, attributes: Readonly<Record<string, string>> = {}): Xml {
  const content = escaped(text);
  return content === '' ? undefined : `<${open(name, attributes)}>${content}</${name}>`;
}

/** An element that holds others; nothing when it would be empty. */
export function node(name: string, ...children: readonly Xml[]): Xml {
  const content = children.filter((child) => child !== undefined);
  return content.length === 0 ? undefined : `<${name}>\n${content.join('\n')}\n</${name}>`;
}

export function root(name: string, attributes: Readonly<Record<string, string>>, ...children: readonly Xml[]): string {
  const content = children.filter((child) => child !== undefined);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${open(name, attributes)}>\n${content.join('\n')}\n</${name}>\n`;
}
