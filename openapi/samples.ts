import type { TSchema } from 'typebox';

interface Node {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** The value of each field in real answers, by the place of the field. */
export class Samples {
  readonly #values = new Map<string, unknown>();

  at(place: string): unknown {
    return this.#values.get(place);
  }

  /** Takes the values of an answer that the schema describes. The first one that says something is kept. */
  take(schema: TSchema, value: unknown, at: string): void {
    this.#take(schema as Node, value, at);
  }

  #take(node: Node, value: unknown, at: string): void {
    if (value === undefined || value === null) return;
    const place = node.title !== undefined && node.properties ? node.title : at;
    if (node.anyOf) {
      for (const part of node.anyOf) if (mayBe(part, value)) this.#take(part, value, place);
      if (node.anyOf.some(({ properties }) => properties)) return;
    }
    if (node.properties) {
      for (const [name, field] of Object.entries(node.properties))
        this.#take(field, (value as Record<string, unknown>)[name], `${place}.${name}`);
      return;
    }
    if (node.items?.properties) {
      for (const one of value as unknown[]) this.#take(node.items, one, `${place}[]`);
      return;
    }
    if (node.items && Array.isArray(value) && value.length > 0) this.#keep(`${place}[]`, value[0]);
    this.#keep(place, value);
  }

  #keep(place: string, value: unknown): void {
    const known = this.#values.get(place);
    if (known === undefined || (isEmpty(known) && !isEmpty(value))) this.#values.set(place, value);
  }
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** Which of several shapes an object has: the one all of whose fields it has. */
const mayBe = ({ properties }: Node, value: unknown): boolean =>
  !properties || Object.keys(properties).some((name) => name in (value as object));
