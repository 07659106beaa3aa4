import { hash } from 'node:crypto';
import { type Encoded, encode } from './values.ts';

/** One statement with its parameters. Statements with the same text have the same `name`. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Encoded[];
}

/** The name of each distinct text. A connection prepares each name once, so the server parses and plans the text once. */
const names = new Map<string, string>();

/** Compiled texts by template literal: a literal without fragments always compiles to the same text. */
const texts = new WeakMap<readonly string[], { readonly name: string; readonly text: string }>();

/** A statement or fragment: SQL text with its parameters. Values only ever travel as parameters. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** The same statement with nested fragments inlined. */
  flat(): Sql {
    const strings = [''];
    const values: unknown[] = [];
    const append = (text: string) => {
      strings[strings.length - 1] += text;
    };
    const unfold = (part: Sql): void => {
      append(part.strings[0] ?? '');
      part.values.forEach((value, i) => {
        if (value instanceof Sql) unfold(value);
        else {
          values.push(value);
          strings.push('');
        }
        append(part.strings[i + 1] ?? '');
      });
    };
    unfold(this);
    return new Sql(strings, values);
  }

  /** Text with $1..$n and the flat list of parameters. */
  compile(): { text: string; values: unknown[] } {
    const { strings, values } = this.flat();
    return { text: strings.reduce((text, next, i) => `${text}$${i}${next}`), values: [...values] };
  }

  /** Ready to send: parameters encoded, and a name derived from the text. */
  prepare(): Statement {
    const isWhole = !this.values.some((value) => value instanceof Sql);
    const written = isWhole ? texts.get(this.strings) : undefined;
    if (written) return { ...written, values: this.values.map(encode) };
    const { text, values } = this.compile();
    const name = names.get(text) ?? hash('sha256', text, 'hex').slice(0, 32);
    names.set(text, name);
    if (isWhole) texts.set(this.strings, { name, text });
    return { name, text, values: values.map(encode) };
  }
}

/** sql`select id from orders where partner_id = ${partnerId}`; a nested sql`` fragment is inlined, anything else is a parameter. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/** Trusted text that cannot be a parameter, such as one of our schema or role names. Never pass outside input. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

export const nothing: Sql = raw('');
