import type { Download } from '../site/json/csv.ts';

/**
 * What an operator sees of a partner's panel. Each address names the fields it shows them, as `orders(id,state),has_more`; everything
 * else is blank, so a field that is added later is hidden until somebody has decided about it. A name without parentheses shows a
 * value or a list of values, never an object: what is in an object is named, too. `*` stands for names that are data.
 */
export type Fields = ReadonlyMap<string, Fields>;

const VALUE: Fields = new Map();
const ANY = '*';

export function fieldsOf(text: string): Fields {
  const words = text.match(/[(),]|[^(),\s]+/g) ?? [];
  let at = 0;
  const list = (): Fields => {
    const named = new Map<string, Fields>();
    for (; at < words.length && words[at] !== ')'; ) {
      const name = words[at++] ?? '';
      if (words[at] === '(') {
        at += 1;
        named.set(name, list());
        at += 1;
      } else named.set(name, VALUE);
      if (words[at] === ',') at += 1;
    }
    return named;
  };
  return list();
}

/** An answer with only these fields. */
export function onlyThese(value: unknown, fields: Fields): unknown {
  if (Array.isArray(value)) return value.map((one) => onlyThese(one, fields));
  if (value === null || typeof value !== 'object') return fields === VALUE ? value : blank(value);
  if (fields === VALUE) return null;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const within = fields.get(name) ?? fields.get(ANY);
      return [name, within ? onlyThese(inner, within) : blank(inner)];
    }),
  );
}

/** A page must be able to tell a blank text from a missing one. */
const blank = (value: unknown) => (typeof value === 'string' ? '' : Array.isArray(value) ? [] : null);

/** A file with only these columns. The name of a time zone follows that of its column. */
export function onlyTheseColumns({ header, rows, ...download }: Download, fields: Fields): Download {
  const isShown = header.map((name) => fields.has(name.split(' ')[0] ?? ''));
  async function* shown() {
    for await (const row of rows) yield row.map((cell, i) => (isShown[i] ? cell : null));
  }
  return { ...download, header, rows: shown() };
}
