/** An entry as it came, and the line of the file it starts on (or its number in a feed). */
export interface Located {
  readonly line: number;
  readonly entry: unknown;
}

/** An import as it came: nothing about it has been checked but that it is JSON with these two lists. */
export interface RawImport {
  readonly supplier: unknown;
  readonly full: unknown;
  readonly destinations: readonly Located[];
  /** Destinations that exist stay as they are: a supplier's feed adds places, it does not rename the operator's. */
  readonly keepsDestinations?: boolean;
  readonly plans: readonly Located[];
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
    const { message } = error as Error;
    const at = /position (\d+)/.exec(message)?.[1];
    throw refused(`is no JSON: ${message}`, at === undefined ? 1 : lineAt(text, Number(at)));
  }
  if (typeof file !== 'object' || file === null || Array.isArray(file)) throw refused('must be one JSON object');
  const { supplier, full = true, destinations = [], plans, ...rest } = file as Record<string, unknown>;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw refused(`${unknown} is no known field (${KNOWN.join(', ')})`);
  if (!Array.isArray(plans)) throw refused('plans must be a list');
  if (!Array.isArray(destinations)) throw refused('destinations must be a list');
  const locate = (entries: unknown[], name: string): Located[] => {
    const lines = linesOf(text, name);
    return entries.map((entry, i) => ({ entry, line: lines[i] ?? 1 }));
  };
  return {
    supplier,
    full,
    destinations: locate(destinations, 'destinations'),
    plans: locate(plans, 'plans'),
  };
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

/** The line each entry of a top-level list starts on. `text` is known to be a JSON object. */
function linesOf(text: string, list: string): number[] {
  let lines: number[] = [];
  let line = 1;
  let depth = 0;
  let inside = false;
  let expecting = false;
  let lastKey = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (char === '\n') line += 1;
    if (char === '\n' || char === ' ' || char === '\r' || char === '\t') continue;
    if (inside && depth === 2 && expecting && char !== ']') {
      lines.push(line);
      expecting = false;
    }
    if (char === '"') {
      const start = i;
      for (i += 1; text[i] !== '"'; i++) if (text[i] === '\\') i += 1;
      if (depth === 1) lastKey = text.slice(start, i + 1);
    } else if (char === '[' || char === '{') {
      depth += 1;
      if (depth === 2 && char === '[' && JSON.parse(lastKey) === list) {
        // A repeated name: the last list is the one JSON keeps.
        lines = [];
        inside = true;
        expecting = true;
      }
    } else if (char === ']' || char === '}') {
      depth -= 1;
      if (depth === 1) inside = false;
    } else if (char === ',' && depth === 2) expecting = true;
  }
  return lines;
}
