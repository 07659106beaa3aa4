/** A statement or fragment: SQL text with its parameters. Values only ever travel as parameters. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** Text with $1..$n and the flat list of parameters, nested fragments unfolded in place. */
  compile(): { text: string; values: unknown[] } {
    const values: unknown[] = [];
    const write = (part: Sql): string => {
      let text = part.strings[0] ?? '';
      part.values.forEach((value, i) => {
        if (value instanceof Sql) text += write(value);
        else {
          values.push(value);
          text += `$${values.length}`;
        }
        text += part.strings[i + 1] ?? '';
      });
      return text;
    };
    return { text: write(this), values };
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
