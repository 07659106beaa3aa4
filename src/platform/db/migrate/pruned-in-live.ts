/**
 * What live may delete. Its role has the right to delete from these tables and no other, whatever a statement says. Add a table with
 * the reason its rows may go.
 */
export const PRUNED_IN_LIVE: readonly string[] = [
  // A delivery leaves the queue when it is done; the log keeps it.
  'webhook_queue',
  // The log is for looking up what happened lately, and it outgrows everything else; orders and the ledger stay.
  'webhook_deliveries',
  // Goes with its delivery.
  'webhook_attempts',
  // A change leaves it once its day is counted again.
  'order_days_changed',
  // Sums for charts: what no order adds to any more is deleted. The orders stay.
  'partner_sales_by_day',
  'partner_plans_by_day',
  'sales_by_day',
  // Written by servers of the previous version, and to be dropped in the next one.
  'orders_counted_open',
  'sales_counted_open',
  'sale_days_changed',
  'sale_day_sums',
  // Sums for charts; the orders and the ledger stay.
  'request_figures',
  // The latest calls of each account; what was done is in the orders and the ledger.
  'request_log',
  // Recent calls to suppliers; their results are in the orders.
  'supplier_calls',
];
