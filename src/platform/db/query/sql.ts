import { hash } from 'node:crypto';
import { type Encoded, encode } from './values.ts';

/** One statement with its parameters. Statements with the same text have the same `name`. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  readonly values: readonly Encoded[];
}

/** A text to send, and its name. A connection prepares each name once, so the server parses and plans the text once. */
interface Text {
  readonly name: string;
  readonly text: string;
}

/**
 * Compiled texts by shape: which literals a statement is made of, and where. The same code makes the same shapes again and again, so
 * a text of thousands of characters is put together and hashed once.
 */
const texts = new Map<string, Text>();

const numbers = new WeakMap<readonly string[], number>();
let literals = 0;

function numberOf(strings: readonly string[]): number {
  const known = numbers.get(strings);
  if (known !== undefined) return known;
  numbers.set(strings, ++literals);
  return literals;
}

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

  /** Ready to send: parameters encoded, and a name derived from the text. */
  prepare(): Statement {
    const values: Encoded[] = [];
    const shape = this.#unfold(values);
    const { name, text } = texts.get(shape) ?? this.#compile(shape);
    return { name, text, values };
  }

  /** Adds its parameters; returns its shape: the literal's number, then where it has fragments, and theirs. */
  #unfold(values: Encoded[]): string {
    let shape = String(numberOf(this.strings));
    for (let i = 0; i < this.values.length; i++) {
      const value = this.values[i];
      if (value instanceof Sql) shape += `(${i} ${value.#unfold(values)})`;
      else values.push(encode(value));
    }
    return shape;
  }

  #compile(shape: string): Text {
    const text = this.flat().strings.reduce((text, next, i) => `${text}$${i}${next}`);
    const compiled = { name: hash('sha256', text, 'hex').slice(0, 32), text };
    texts.set(shape, compiled);
    return compiled;
  }
}

/** sql`select id from orders where partner_id = ${partnerId}`; a nested sql`` fragment is inlined, anything else is a parameter. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

const trusted = new Map<string, Sql>();

/** Trusted text that cannot be a parameter, such as one of our schema or role names. Never pass outside input: it is also kept for good. */
export function raw(text: string): Sql {
  const known = trusted.get(text) ?? new Sql([text], []);
  trusted.set(text, known);
  return known;
}

export const nothing: Sql = raw('');

/**
 * `column = value`, written twice, so that the planner reads the index that begins with the column.
 *
 * Statements are planned once for all values. If one partner has nearly all orders, the planner assumes that any partner has, and reads
 * all orders by id until enough of the partner's have come by: for a partner with one order, that is all of them. It takes two conditions to
 * be independent, so written twice it expects few rows. Measured for lists of orders: docs/benchmarks.md, "Plain versions".
 */
export const pinned = (column: string, value: number | string): Sql =>
  sql`${raw(column)} = ${value} and ${raw(column)} between ${value} and ${value}`;
