/** The product did something the model rules out. */
class Violation extends Error {}

export function requireThat(holds: unknown, broken: string, found?: unknown): asserts holds {
  if (!holds) throw new Violation(found === undefined ? broken : `${broken}: ${JSON.stringify(found)}`);
}
