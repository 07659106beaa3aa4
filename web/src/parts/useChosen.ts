import { useState } from 'react';

/**
 * The rows chosen for one change, as they were when chosen. A row that somebody else changes meanwhile leaves the list, but not
 * the choice: the decision was made on what was on screen, and the server reports what happened to it. `list` says which rows are on
 * screen: the choice belongs to them, and ends with another page or filter.
 */
export function useChosen<Row>(keyOf: (row: Row) => string, list: string) {
  const [chosen, setChosen] = useState<{ list: string; rows: ReadonlyMap<string, Row> }>({ list, rows: new Map() });
  const rows = chosen.list === list ? chosen.rows : new Map<string, Row>();
  return {
    rows: [...rows.values()],
    has: (row: Row) => rows.has(keyOf(row)),
    toggle(row: Row) {
      const next = new Map(rows);
      if (!next.delete(keyOf(row))) next.set(keyOf(row), row);
      setChosen({ list, rows: next });
    },
    set: (all: readonly Row[]) => setChosen({ list, rows: new Map(all.map((row) => [keyOf(row), row])) }),
  };
}

export type Chosen<Row> = ReturnType<typeof useChosen<Row>>;
