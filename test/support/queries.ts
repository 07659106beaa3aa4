import pg from 'pg';

/** Every statement this process sends to PostgreSQL from now on, whoever sends it; the listener's heartbeat left out. */
export function watchQueries(): Disposable & { readonly seen: string[] } {
  const seen: string[] = [];
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | { text: string }];
    const text = typeof first === 'string' ? first : first.text;
    if (text !== 'select 1') seen.push(text);
    return Reflect.apply(query, this, args);
  } as typeof query;
  return {
    seen,
    [Symbol.dispose]: () => {
      pg.Client.prototype.query = query;
    },
  };
}
