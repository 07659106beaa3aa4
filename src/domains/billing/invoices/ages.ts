import { type Cents, toCents } from '../../../platform/amounts/cents.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { nothing, sql } from '../../../platform/db/query/sql.ts';

/** How late what is not paid is: not due yet, or so many days and more after the due date. */
export const ages = ['not_due', '0', '30', '60', '90'] as const;
export type Age = (typeof ages)[number];

/** The due dates of an age, in whole days in UTC. On the day it is due, an invoice is not late; a day after it, it is of age 0. */
export interface DueDates {
  readonly from: Date | undefined;
  readonly before: Date | undefined;
}

export function dueDatesOf(age: Age, now: number): DueDates {
  const today = Math.floor(now / DAY) * DAY;
  const next = ages[ages.indexOf(age) + 1];
  return {
    from: next === undefined ? undefined : lateBy(today, Number(next)),
    before: age === 'not_due' ? undefined : lateBy(today, Number(age)),
  };
}

/** What was due before this is late by so many days, and by one day at least. */
const lateBy = (today: number, days: number): Date => new Date(today - Math.max(days - 1, 0) * DAY);

export interface AgeSum {
  readonly age: Age;
  readonly count: number;
  readonly due: Cents;
}

/** What all partners, or one, have yet to pay, by how late it is. */
export async function sumByAge(db: Queryable, now: number, partnerId?: number): Promise<AgeSum[]> {
  const bounds = ages.map((age) => dueDatesOf(age, now));
  const rows = await db.query<{ n: number; count: number; due: Cents }>(sql`
    select age.n::int as n, count(*)::int as count, sum(i.on_terms - s.settled)::bigint as due
    from invoice_states s join invoices i on i.id = s.invoice_id
    join unnest(
      ${bounds.map(({ from }) => from ?? null)}::timestamptz[], ${bounds.map(({ before }) => before ?? null)}::timestamptz[]
    ) with ordinality as age (due_from, due_before, n)
      on (age.due_from is null or i.due_at >= age.due_from) and (age.due_before is null or i.due_at < age.due_before)
    where s.status in ('open', 'overdue') ${partnerId === undefined ? nothing : sql`and i.partner_id = ${partnerId}`} group by age.n`);
  return ages.map((age, i) => {
    const row = rows.find(({ n }) => n === i + 1);
    return { age, count: row?.count ?? 0, due: toCents(row?.due ?? 0n) };
  });
}
