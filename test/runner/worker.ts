import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { load } from './node-test.ts';
import type { Ended } from './reporter.ts';

/*
 * Runs one test file after the other in one process, so that the program is loaded once for all of them. A file becomes a test, and
 * what it declares the subtests of it: they end, and its `after` hooks run, before the runner sends the next file.
 */
const ours = new URL('node-test.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && !context.parentURL?.startsWith(new URL('.', ours).href)
      ? { url: ours, shortCircuit: true }
      : next(specifier, context),
});

// Node does not know which test it belongs to (`light-hooks.ts`): it belongs to the file.
const uncaught = (name: string) => (error: unknown) => {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const ended: Ended = { name, nesting: 1, isSuite: false, seconds: 0, skipped: undefined, error: what };
  process.send?.(ended);
};
process.prependListener('uncaughtException', uncaught('an uncaught error'));
process.prependListener('unhandledRejection', uncaught('an unhandled rejection'));

process.on('message', (file: string) => {
  test(file, async () => {
    await load(pathToFileURL(resolve(file)).href);
  });
});
