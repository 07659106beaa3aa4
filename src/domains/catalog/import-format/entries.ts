import { createRequire } from 'node:module';

export type { DestinationEntry, OperatorEntry, PlanEntry, SupplierEntry } from './formats.ts';

type Formats = typeof import('./formats.ts');
const load = createRequire(import.meta.url);
let formats: Formats | undefined;

/** Why an entry does not fit its format; undefined when it does. The formats are loaded with the first import: a command without one starts sooner. */
export const formatProblem: Formats['formatProblem'] = (kind, entry) => {
  formats ??= load('./formats.ts') as Formats;
  return formats.formatProblem(kind, entry);
};
