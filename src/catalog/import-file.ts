import { type JSONVisitor, visit } from 'jsonc-parser';

/** An entry as it came, and the line of the file it starts on (in a supplier's list: its number). */
export interface Located {
  readonly line: number;
  readonly entry: unknown;
}

/** An import as it came. Only its outline has been checked: one JSON object with these two lists. */
export interface RawImport {
  readonly supplier: unknown;
  readonly full: unknown;
  readonly destinations: readonly Located[];
  /**
   * A supplier's own list, which we cannot correct: a bad row is skipped and reported instead of rejecting the import, and
   * destinations that exist stay as they are, because a list adds places but does not rename the operator's.
   */
  readonly isSupplierList?: boolean;
  /** The supplier did not list all its refills, so those that the import does not name stay as they are. */
  readonly keepRefills?: boolean;
  /** A supplier's list of changes: its codes of the plans that are no longer sold. Others that it does not name stay as they are. */
  readonly removed?: readonly string[];
  /** What the supplier calls this state of its list. Stored with the supplier, for the next import. */
  readonly version?: string;
  readonly plans: readonly Located[];
  /** Rows of a supplier's list that its adapter left out, because they cannot be sold. */
  readonly leftOut?: readonly SkippedRow[];
}

/** A row of a supplier's list that is not imported. */
export interface SkippedRow {
  /** The row's code, if it has one. */
  readonly code: string;
  readonly reason: string;
}

/** One thing wrong with an import. */
export interface ImportProblem {
  readonly line: number;
  readonly reason: string;
}

/** Nothing was imported. */
export class ImportRefused extends Error {
  readonly problems: readonly ImportProblem[];

  constructor(problems: readonly ImportProblem[]) {
    super(`nothing was imported: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`);
    this.problems = problems;
  }
}

const KNOWN = ['supplier', 'full', 'destinations', 'plans'];

export function readImportFile(text: string): RawImport {
  const refused = (reason: string, line = 1) => new ImportRefused([{ line, reason }]);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw refused(`is not valid JSON: ${(error as Error).message}`, lineOfFirstError(text));
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw refused('must be one JSON object');
  const { supplier, full = true, destinations = [], plans, ...rest } = file as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw refused(`${unknown} is not a known field (${KNOWN.join(', ')})`);
  if (!Array.isArray(plans)) throw refused('plans must be a list');
  if (!Array.isArray(destinations)) throw refused('destinations must be a list');
  const lines = linesOfEntries(text);
  const located = (entries: unknown[], list: string): Located[] =>
    entries.map((entry, i) => ({ entry, line: lines.get(list)?.[i] ?? 1 }));
  return { supplier, full, destinations: located(destinations, 'destinations'), plans: located(plans, 'plans') };
}

// `JSON.parse` decides what is valid and makes the values. It reports no lines, so a second pass finds those.
const STRICT = { disallowComments: true, allowTrailingComma: false };

function lineOfFirstError(text: string): number {
  let first: number | undefined;
  visit(
    text,
    {
      onError(_error, _offset, _length, line) {
        first ??= line + 1;
      },
    },
    STRICT,
  );
  return first ?? 1;
}

/** The line each entry of each top-level list starts on, by the list's name. `text` is valid JSON. */
function linesOfEntries(text: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  let list: number[] = [];
  let depth = 0;
  const startsValue = (line: number) => {
    if (depth === 2) list.push(line + 1);
  };
  const visitor: JSONVisitor = {
    onObjectProperty(name) {
      if (depth !== 1) return;
      // A repeated name starts over: `JSON.parse` keeps the last one, too.
      list = [];
      found.set(name, list);
    },
    onObjectBegin(_offset, _length, line) {
      startsValue(line);
      depth += 1;
      // What is inside an entry has no line of interest.
      return depth <= 2;
    },
    onArrayBegin(_offset, _length, line) {
      startsValue(line);
      depth += 1;
      return depth <= 2;
    },
    onLiteralValue: (_value, _offset, _length, line) => startsValue(line),
    onObjectEnd() {
      depth -= 1;
    },
    onArrayEnd() {
      depth -= 1;
    },
  };
  visit(text, visitor, STRICT);
  return found;
}
