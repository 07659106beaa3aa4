import type { TestEvent } from 'node:test/reporters';

/** A worker's report about a finished test; about the file itself with `nesting` 0. */
export interface Ended {
  readonly name: string;
  readonly nesting: number;
  readonly isSuite: boolean;
  readonly seconds: number;
  /** Why it was skipped; undefined: it ran. */
  readonly skipped: string | undefined;
  /** What failed; undefined: it passed, or only what it contains failed. */
  readonly error: string | undefined;
}

/** Something a test wants in the output, such as a measurement. */
export interface Remark {
  readonly remark: string;
}

/** Sends the end of every test, and its remarks, to the runner. */
// biome-ignore lint/style/noDefaultExport: how Node finds a reporter.
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type === 'test:diagnostic' && event.data.nesting > 0)
      process.send?.({ remark: event.data.message } satisfies Remark);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, nesting, skip, details } = event.data;
    const ended: Ended = {
      name,
      nesting,
      isSuite: details.type === 'suite',
      seconds: details.duration_ms / 1_000,
      skipped: skip === undefined || skip === false ? undefined : String(skip),
      error: event.type === 'test:fail' ? errorOf(event.data.details.error) : undefined,
    };
    process.send?.(ended);
  }
  yield '';
}

function errorOf(error: Error & { failureType?: string }): string | undefined {
  if (error.failureType === 'subtestsFailed') return undefined;
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.stack ?? cause.message;
}
