/** Everything below a row: pages that neither repeat nor miss rows, whatever is added meanwhile. */
export async function* below<Row>(
  page: (before_id: number | undefined) => Promise<{ rows: readonly Row[]; has_more: boolean }>,
  idOf: (row: Row) => number,
): AsyncGenerator<Row, void, undefined> {
  let before: number | undefined;
  for (;;) {
    const { rows, has_more } = await page(before);
    yield* rows;
    const last = rows.at(-1);
    if (!has_more || last === undefined) return;
    before = idOf(last);
  }
}

/** Page by page, newest first. Rows that arrive meanwhile push others to the next page, where they are skipped as seen. */
export async function* newestFirst<Row extends { readonly id: number }>(
  limit: number,
  page: (start: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row, void, undefined> {
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
}
