import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import real from 'node:test';

/*
 * What test files get as `node:test` (see `worker.ts`). What a file declares at its top level becomes a part of the test that stands
 * for the file, and what a suite or a test declares a part of it. Node loses track of that at the first `await` (`light-hooks.ts`), so it
 * is passed on explicitly.
 */
let file: AsyncResource | undefined;
let ofFile: unknown[] = [];
const within = new AsyncLocalStorage<AsyncResource>();

/**
 * Runs the tests of a file. To be called inside the test that stands for it. Node waits for the subtests of a test only until there are
 * none for a moment, as there may be during an `await` between two declarations: then it would cancel the second.
 */
export async function load(url: string): Promise<void> {
  file = new AsyncResource('test file');
  ofFile = [];
  await import(url);
  await Promise.all(ofFile);
}

type Callback = (...args: unknown[]) => unknown;

function placed<F extends Callback>(declare: F): F {
  const declared = (...args: unknown[]) => {
    const inside = args.map((arg) =>
      typeof arg === 'function'
        ? (...given: unknown[]) => within.run(new AsyncResource('test'), () => (arg as Callback)(...given))
        : arg,
    );
    const place = within.getStore() ?? file;
    const made = place ? place.runInAsyncScope(() => declare(...inside)) : declare(...inside);
    if (place === file) ofFile.push(made);
    return made;
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
