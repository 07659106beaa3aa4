/** A busy machine alone makes everybody wait for a second now and then; a leader is not replaced in so short a time. */
const NOTICEABLE_MS = 2_000;

/**
 * How long after `from` purchases worked again: the end of the last noticeable gap between acknowledgements before `to`, for the
 * process that was worst off. Without such a gap they never stopped: 0.
 */
export const recoveredAfter = (moments: Moments, from: number, to: number): number =>
  Math.max(0, ...gaps(moments, from, to).map(({ end }) => end - from));

/** The longest noticeable gap between acknowledgements in that time, of any process. */
export const longestGap = (moments: Moments, from: number, to: number): number =>
  Math.max(0, ...gaps(moments, from, to).map(({ begin, end }) => end - begin));

/** When each process acknowledged a purchase. */
type Moments = readonly (readonly number[])[];

const gaps = (moments: Moments, from: number, to: number): { begin: number; end: number }[] =>
  moments.flatMap((all) => {
    const within = [all.findLast((at) => at < from) ?? from, ...all.filter((at) => at >= from && at < to), to];
    return within
      .slice(1)
      .map((end, i) => ({ begin: Math.max(from, within[i] as number), end }))
      .filter(({ begin, end }) => end - begin >= NOTICEABLE_MS);
  });

export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The fault in which nothing is broken: the leader hands over, so it takes as long as the machine needs for the steps themselves. */
export const PLANNED = 'a switchover is asked for';
/** On a machine of its own, a planned switchover took 3.6 s and the worst fault 8.8 s: what finding out adds is mostly waiting. */
const TIMES_PLANNED = 2.8;
const LEAST_LIMIT_MS = 10_000;

/** How long purchases may take to work again: ten seconds, or on a machine that gives less, in proportion to its planned switchovers. */
export function limitFor(struck: readonly { readonly name: string; readonly recoveredMs: number }[]): number {
  const planned = struck.filter(({ name }) => name === PLANNED).map(({ recoveredMs }) => recoveredMs);
  return Math.max(LEAST_LIMIT_MS, TIMES_PLANNED * median(planned));
}
