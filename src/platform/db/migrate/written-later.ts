interface Parts<Row> {
  write(rows: readonly Row[]): Promise<unknown>;
  failed(error: unknown, rows: number): void;
  /** Beyond these, `isFull`. */
  readonly mostWaiting: number;
  /** This many are written at once, without waiting for the second to be over. */
  readonly batch: number;
}

/**
 * Log rows of requests. Noting one only appends it to a list; it is formatted and written later, in batches, and nothing waits for
 * that. If the database is slow or away, rows are dropped instead of filling the memory.
 */
export function writtenLater<Row>(parts: Parts<Row>) {
  const { batch: size, mostWaiting } = parts;
  /** Rows that are missing. `full`: too many waited. `unwritten`: the database was away. */
  const lost = { full: 0, unwritten: 0 };
  let waiting: Row[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, size);
      waiting = waiting.slice(size);
      try {
        await parts.write(batch);
      } catch (error) {
        lost.unwritten += batch.length;
        parts.failed(error, batch.length);
        return;
      }
    }
  }

  const flush = (): Promise<void> => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };

  return {
    lost,
    /** Writes what was noted. To be called every second; a failure is logged, and the rows concerned are missing. */
    flush,
    get isFull(): boolean {
      return waiting.length >= mostWaiting;
    },
    note(row: Row): void {
      if (waiting.push(row) === size && !writing) setImmediate(flush);
    },
  };
}
