import { type JSONVisitor, visit } from 'jsonc-parser';
import type { PlanEntry, SupplierEntry } from './entries.ts';

/** Where something starts in a file, both counted from 1. In a supplier's list, `line` is the number of the row. */
interface Place {
  readonly line: number;
  readonly column?: number;
}

type FilePlace = Required<Place>;

export interface Located extends Place {
  readonly entry: unknown;
}

/** An import as received. Only its outline has been checked: one JSON object with these two lists. */
export interface RawImport {
  readonly supplier: unknown;
  readonly full: unknown;
  readonly places?: { readonly supplier?: Place | undefined; readonly full?: Place | undefined };
  readonly destinations: readonly Located[];
  /**
   * A supplier's own list, which we cannot correct: a bad row is skipped and reported instead of rejecting the import, and
   * destinations that exist stay as they are, because a list adds places but does not rename the operator's.
   */
  readonly isSupplierList?: boolean;
  /** The supplier did not list all its refills, so those that the import does not name stay as they are. */
  readonly keepRefills?: boolean;
  /**
   * A supplier's list of changes: its codes of the plans that are no longer sold. Others that it does not name stay as they are.
   */
  readonly removed?: readonly string[];
  /** What the supplier calls this state of its list. Stored with the supplier, for the next import. */
  readonly version?: string;
  readonly plans: readonly Located[];
  /** Rows of a supplier's list that its adapter left out, because they cannot be sold. */
  readonly leftOut?: readonly SkippedRow[];
}

export interface SkippedRow {
  readonly code: string;
  readonly reason: string;
}

export interface ImportProblem extends Place {
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

export const START: FilePlace = { line: 1, column: 1 };
const KNOWN = ['supplier', 'full', 'destinations', 'plans'];

export function readImportFile(text: string): RawImport {
  const refused = (reason: string, place: Place = START) => new ImportRefused([{ ...place, reason }]);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw refused(`is not valid JSON: ${(error as Error).message}`, firstJsonError(text));
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw refused('must be one JSON object');
  const { supplier, full = true, destinations = [], plans, ...rest } = file as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw refused(`${unknown} is not a known field (${KNOWN.join(', ')})`);
  if (!Array.isArray(plans)) throw refused('plans must be a list');
  if (!Array.isArray(destinations)) throw refused('destinations must be a list');
  // Places are needed only for what is wrong, and finding them takes longer than everything else here.
  let found: Places | undefined;
  const places = (): Places => {
    found ??= placesIn(text);
    return found;
  };
  const located = (list: unknown[], name: string): Located[] =>
    list.map((entry, i) => {
      const place = (): FilePlace => places().entries.get(name)?.[i] ?? START;
      return {
        entry,
        get line() {
          return place().line;
        },
        get column() {
          return place().column;
        },
      };
    });
  return {
    ...{ supplier, full },
    places: {
      get supplier() {
        return places().values.get('supplier');
      },
      get full() {
        return places().values.get('full');
      },
    },
    destinations: located(destinations, 'destinations'),
    plans: located(plans, 'plans'),
  };
}

// `JSON.parse` decides what is valid and makes the values. It reports no places, so a second pass finds those.
const STRICT = { disallowComments: true, allowTrailingComma: false };

const placeAt = (line: number, character: number): FilePlace => ({ line: line + 1, column: character + 1 });

/** Where a text stops being JSON; undefined: nowhere. */
export function firstJsonError(text: string): FilePlace | undefined {
  let first: FilePlace | undefined;
  visit(
    text,
    {
      onError(_error, _offset, _length, line, character) {
        first ??= placeAt(line, character);
      },
    },
    STRICT,
  );
  return first;
}

/** Where each value of the file's object starts, and each entry of its lists, by name. */
interface Places {
  readonly values: ReadonlyMap<string, FilePlace>;
  readonly entries: ReadonlyMap<string, readonly FilePlace[]>;
}

/** `text` is valid JSON. */
function placesIn(text: string): Places {
  const values = new Map<string, FilePlace>();
  const entries = new Map<string, FilePlace[]>();
  let name = '';
  let depth = 0;
  const startsValue = (line: number, character: number) => {
    const place = placeAt(line, character);
    if (depth === 1) values.set(name, place);
    if (depth === 2) entries.get(name)?.push(place);
  };
  const visitor: JSONVisitor = {
    onObjectProperty(property) {
      if (depth !== 1) return;
      // A repeated name starts over: `JSON.parse` keeps the last one, too.
      name = property;
      entries.set(name, []);
    },
    onObjectBegin(_offset, _length, line, character) {
      startsValue(line, character);
      depth += 1;
      // What is inside an entry has no place of interest.
      return depth <= 2;
    },
    onArrayBegin(_offset, _length, line, character) {
      startsValue(line, character);
      depth += 1;
      return depth <= 2;
    },
    onLiteralValue: (_value, _offset, _length, line, character) => startsValue(line, character),
    onObjectEnd() {
      depth -= 1;
    },
    onArrayEnd() {
      depth -= 1;
    },
  };
  visit(text, visitor, STRICT);
  return { values, entries };
}

/**
 * A supplier's whole list as an import. `titles` has the supplier's names of destinations, by our code; `leftOut` the rows that cannot
 * be sold.
 */
export async function feedImport(
  supplier: SupplierEntry,
  plans: readonly PlanEntry[],
  titles: ReadonlyMap<string, string>,
  leftOut: readonly SkippedRow[] = [],
): Promise<RawImport> {
  // The list of the world's countries is large, so it is loaded only when a catalog is made.
  const { placesOf } = await import('./geography.ts');
  const located = (entry: unknown, i: number) => ({ entry, line: i + 1 });
  return {
    supplier,
    full: true,
    destinations: placesOf(plans, titles).map(located),
    isSupplierList: true,
    plans: plans.map(located),
    ...(leftOut.length > 0 && { leftOut }),
  };
}
