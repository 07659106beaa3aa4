import { hash } from 'node:crypto';
import { type Encoded, encode } from './values.ts';

/** One statement with its parameters; `name` is the same wherever the text is the same. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Encoded[];
}

/** The name of each distinct text: a connection prepares it once, so the server parses and plans it once. */
const names = new Map<string, string>();

/** Texts by where they were written: one without fragments never changes. */
const texts = new WeakMap<readonly string[], { readonly name: string; readonly text: string }>();

/** A statement or fragment: SQL text with its parameters. Values only ever travel as parameters. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** The same statement with nested fragments unfolded in place. */
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

  /** Ready to be sent: parameters encoded, under a name that is the text's own. */
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

/** Trusted text that cannot be a parameter (a schema or role name of our own). Never pass outside input. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

export const nothing: Sql = raw('');
