import recorded from './recorded.json' with { type: 'json' };

/** A call that was made against a running server, and what it answered. `npm run examples` records them; a test repeats them. */
export interface Example {
  readonly name: string;
  readonly summary: string;
  /** The path parameter. */
  readonly param?: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Recorded {
  /** By path: `/purchase/buy`. */
  readonly answers: Readonly<Record<string, readonly Example[]>>;
  /** The bodies of events, by name. */
  readonly events: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const all = recorded as unknown as Recorded;

export const examplesOf = (path: string): readonly Example[] => all.answers[path] ?? [];
export const eventExample = (event: string): Readonly<Record<string, unknown>> | undefined => all.events[event];
