import { MAX_POINTS, type Span, type Step, stepsOf } from '../../../domains/insight/figures/figures.ts';
import { DAY } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { type Call, iso } from '../json/action.ts';
import { filtersFrom } from '../json/filters.ts';

const DEFAULT_DAYS = 30;
/** Enough to compare two years. */
const MAX_DAYS = 800;

/** Today in UTC and the days before it; as many as a chart shows where none are asked for. */
export function lastDays(now: number, days = DEFAULT_DAYS): Pick<Span, 'from' | 'to'> {
  const end = (Math.floor(now / DAY) + 1) * DAY;
  return { from: new Date(end - days * DAY), to: new Date(end) };
}

/** The days asked for. `finest` is the smallest step there are figures for. */
export function requireSpanAt(
  call: Pick<Call, 'query' | 'now'>,
  { aheadMs, finest }: { readonly aheadMs: number; readonly finest: 'hour' | 'day' },
) {
  const today = Math.floor((call.now + aheadMs) / DAY) * DAY;
  const { day, oneOf } = filtersFrom(call, 'invalid_input');
  const last = day('to')?.getTime() ?? today;
  const first = day('from')?.getTime() ?? last - (DEFAULT_DAYS - 1) * DAY;
  const days = (last - first) / DAY + 1;
  if (days < 1) throw new Refused('invalid_input', 'the first day must not be after the last one');
  if (days > MAX_DAYS) throw new Refused('invalid_input', `choose at most ${MAX_DAYS} days`);
  const per =
    oneOf<Step>('per', finest === 'hour' ? ['hour', 'day', 'month'] : ['day', 'month']) ??
    (days <= 3 ? finest : days <= 120 ? 'day' : 'month');
  const span = { from: new Date(first), to: new Date(last + DAY), per };
  if (stepsOf(span) > MAX_POINTS)
    throw new Refused('invalid_input', `choose fewer days, or more than one ${per} a bar`);
  /** `from` and `to`: the first and the last day, both included. `today`: by the account's clock. */
  return { span, view: { from: dayOf(first), to: dayOf(last), per, today: dayOf(today) } };
}

export type SpanView = ReturnType<typeof requireSpanAt>['view'];

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const age = (until: Date | null, now: number) => ({
  /** Everything before is counted; null: the first count is not finished. */
  counted_until: iso(until),
  age_seconds: until === null ? null : Math.max(0, Math.round((now - until.getTime()) / 1000)),
});

export const seconds = ({ tookMs, delivered }: { tookMs: number; delivered: number }): number | null =>
  delivered === 0 ? null : Math.round(tookMs / delivered) / 1000;

export type Aged = ReturnType<typeof age>;
