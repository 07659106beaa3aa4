import { useState } from 'react';
import type { RefundRow } from '../../api/orders.ts';

/**
 * The rows chosen for one decision, as they were when chosen. A row that a colleague decides meanwhile leaves the list, but not
 * the choice: the decision was made on what was on screen, and the server reports what happened to it.
 */
export function useChosen() {
  const [rows, setRows] = useState<ReadonlyMap<string, RefundRow>>(new Map());
  return {
    rows: [...rows.values()],
    has: ({ order }: RefundRow) => rows.has(order.id),
    toggle(row: RefundRow) {
      const next = new Map(rows);
      if (!next.delete(row.order.id)) next.set(row.order.id, row);
      setRows(next);
    },
    set: (all: readonly RefundRow[]) => setRows(new Map(all.map((row) => [row.order.id, row]))),
  };
}

export type Chosen = ReturnType<typeof useChosen>;
