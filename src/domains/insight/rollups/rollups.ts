/**
 * Sums that jobs keep because reading the rows themselves would take seconds: orders by day for charts, the ledger by month for the
 * trial balance. docs/benchmarks.md has both times of each. All of it can be made again from the orders and the ledger.
 */
export { ledgerByMonthJob } from './ledger-by-month.ts';
export {
  forgetSales,
  ordersBetween,
  readCountedUntil,
  salesByDayJob,
  sumColumns,
  sumsOfDays,
  sumsOfOrders,
  tookClasses,
} from './sales-by-day.ts';
