/** Fields already warned about, so that each warning appears once. */
const warned = new Set<string>();
const MAX_WARNED = 1_000;

const isProduction = (): boolean =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.NODE_ENV === 'production';

/** Says which fields the API did not know: once per name, and not in production. */
export function warnOfIgnored(path: string, ignored: unknown): void {
  if (!Array.isArray(ignored) || isProduction()) return;
  for (const name of ignored) {
    if (typeof name !== 'string' || warned.has(name) || warned.size >= MAX_WARNED) continue;
    warned.add(name);
    console.warn(`Wayfare: ${path} does not know the field ${JSON.stringify(name)} and ignored it.`);
  }
}
