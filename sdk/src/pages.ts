/** Rows of a list, fetched page by page while you read them. */
export interface Paging<Row> extends AsyncGenerator<Row, void, undefined> {
  /** Reads to the end, or until there are `limit` rows (1 to 10,000), and returns them as an array. */
  autoPagingToArray(options: { limit: number }): Promise<Row[]>;
}

/** More rows than this belong in a loop, which holds one page at a time. */
const MAX_ROWS = 10_000;

function paging<Row>(rows: AsyncGenerator<Row, void, undefined>): Paging<Row> {
  return Object.assign(rows, {
    async autoPagingToArray({ limit }: { limit: number }): Promise<Row[]> {
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ROWS)
        throw new TypeError(`autoPagingToArray needs a limit from 1 to ${MAX_ROWS}; for more rows use for await`);
      const found: Row[] = [];
      for await (const row of rows) {
        found.push(row);
        if (found.length >= limit) break;
      }
      return found;
    },
  });
}

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly has_more: boolean;
}

/** Everything below a row: pages that neither repeat nor miss rows, whatever is added meanwhile. */
export const below = <Row>(
  page: (last: { before_id?: number }) => Promise<Page<Row>>,
  idOf: (row: Row) => number,
): Paging<Row> =>
  paging(
    (async function* () {
      for (let last: { before_id?: number } = {}; ; ) {
        const { rows, has_more } = await page(last);
        yield* rows;
        const lowest = rows.at(-1);
        if (!has_more || lowest === undefined) return;
        last = { before_id: idOf(lowest) };
      }
    })(),
  );

/** Each page begins after the rows of those before it. */
export const onward = <Row>(offset: number, page: (offset: number) => Promise<Page<Row>>): Paging<Row> =>
  paging(
    (async function* () {
      for (let at = offset; ; ) {
        const { rows, has_more } = await page(at);
        yield* rows;
        at += rows.length;
        if (!has_more || rows.length === 0) return;
      }
    })(),
  );

/** Page by page, newest first. Rows that arrive meanwhile push others to the next page, where they are skipped as seen. */
export const newestFirst = <Row extends { readonly id: number }>(
  limit: number,
  page: (start: number) => Promise<readonly Row[]>,
): Paging<Row> =>
  paging(
    (async function* () {
      let oldest = Number.POSITIVE_INFINITY;
      for (let start = 1; ; start += 1) {
        const rows = await page(start);
        for (const row of rows) {
          if (row.id >= oldest) continue;
          oldest = row.id;
          yield row;
        }
        if (rows.length < limit) return;
      }
    })(),
  );
