import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import real from 'node:test';

/*
 * What test files get as `node:test` (see `worker.ts`). What a file declares at its top level becomes a part of the test that stands
 * for the file. Node would lose track of that after the file's first top-level `await`, so it is told each time.
 */
let file: AsyncResource | undefined;
const within = new AsyncLocalStorage<true>();

/** Runs the tests of a file. To be called inside the test that stands for it. */
export function load(url: string): Promise<unknown> {
  file = new AsyncResource('test file');
  return import(url);
}

type Callback = (...args: unknown[]) => unknown;

/** Declarations inside a suite or a test find their place by themselves. */
function placed<F extends Callback>(declare: F): F {
  const declared = (...args: unknown[]) => {
    const inside = args.map((arg) =>
      typeof arg === 'function' ? (...given: unknown[]) => within.run(true, () => (arg as Callback)(...given)) : arg,
    );
    return within.getStore() || !file ? declare(...inside) : file.runInAsyncScope(() => declare(...inside));
  };
  return declared as F;
}

export const test = Object.assign(placed(real.test as unknown as Callback), real) as unknown as typeof real.test;
export const suite = placed(real.suite as unknown as Callback) as unknown as typeof real.suite;
export const describe = suite;
export const before = placed(real.before as unknown as Callback) as unknown as typeof real.before;
export const after = placed(real.after as unknown as Callback) as unknown as typeof real.after;
export const beforeEach = placed(real.beforeEach as unknown as Callback) as unknown as typeof real.beforeEach;
export const afterEach = placed(real.afterEach as unknown as Callback) as unknown as typeof real.afterEach;
export const { mock } = real;
// biome-ignore lint/style/noDefaultExport: as `node:test` has it.
export default test;
