import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const REQUEST_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_BOUNDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const DELAY_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 15, 60, 300, 3600];

const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Gauges read from the database; the labels say of which world, status, supplier, plan, setting, proof or job. */
const databaseGauges = {
  webhook_backlog: ['world', 'Webhook deliveries waiting for active subscriptions, up to 100,000'],
  webhook_held: ['world', 'Webhook deliveries held for paused or disabled subscriptions, up to 100,000'],
  webhook_disabled: ['world', 'Webhook subscriptions disabled after repeated failures, up to 100,000'],
  webhook_dead: ['world', 'Webhook deliveries that ran out of attempts, up to 100,000'],
  webhook_oldest_due_seconds: ['world', 'How long the oldest due webhook delivery has been due'],
  orders_deferred: ['world', 'Paid orders that wait for their eSIM, up to 100,000'],
  orders_overdue: ['world', 'Paid orders reported as overdue and still open, up to 100,000'],
  orders_held: [
    'world',
    'Paid orders held for a person, because what their supplier sent cannot be right, up to 100,000',
  ],
  card_payments_open: ['world', 'Card payments that are neither paid nor closed, up to 100,000'],
  mails: ['status', 'Mails that wait to be sent, and mails that were given up in the last 30 days, up to 100,000'],
  mail_oldest_seconds: ['status', 'Age of the oldest mail that waits to be sent'],
  supplier_list_age_seconds: ['supplier', "Age of the last import of a supplier's list"],
  supplier_balance_usd: ['supplier', 'What is left of our balance at a supplier'],
  supplier_balance_alert_usd: ['supplier', 'Our balance at a supplier counts as low below this'],
  supplier_balance_age_seconds: ['supplier', "Since a supplier's balance was last read"],
  stock_items: ['supplier plan state', 'eSIMs bought in advance, up to 100,000 of each plan and state'],
  stock_low_level: ['supplier plan', 'The stock of a plan counts as low when this many are left, or fewer'],
  database_setting_unfit: ['setting', 'Settings of the database server: 1 for one that works against us'],
  ledger_proof_age_seconds: ['proof', 'Since the ledger was last proved, or since the installation if never'],
  ledger_broken: ['proof', '1 if the last proof of the ledger found that it does not add up'],
  job_success_age_seconds: ['job', 'Time since a job last ran without an error, in any process'],
} as const;

type DatabaseGauge = keyof typeof databaseGauges;

export interface DatabaseFigure {
  readonly gauge: DatabaseGauge;
  /** The world, the status, the supplier, the setting, the kind of proof or the job; several labels with a line for each. */
  readonly of: string;
  readonly value: number;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Every metric of ours, declared here and nowhere else. Processes do not share them: each prints its own. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `wayfare_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `wayfare_${name}`, help, labelNames, registers });
  /** Seconds, with the values of the labels in the order of their names. */
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) => {
    const made = new Histogram({ name: `wayfare_${name}`, help, labelNames, buckets, registers });
    return (seconds: number, ...values: readonly string[]) => made.labels(...values).observe(seconds);
  };

  const readers: (() => void | Promise<void>)[] = [];
  const requests = counter('requests_total', 'API requests by tier and status', 'tier', 'status');
  const observeRequest = histogram(
    'request_seconds',
    'API requests by endpoint and status',
    REQUEST_BOUNDS,
    'endpoint',
    'status',
  );
  const fromDatabase = Object.entries(databaseGauges).map(
    ([name, [label, help]]) =>
      [name as DatabaseGauge, label.split(' '), gauge<string>(name, help, ...label.split(' '))] as const,
  );

  let isWatching = false;
  return {
    countRequest(endpoint: string, tier: string, status: number, ms: number): void {
      requests.inc({ tier, status });
      observeRequest(ms / 1000, endpoint, String(status));
    },
    purchases: counter('purchases_total', 'Calls of purchase/buy by world and outcome', 'world', 'outcome'),
    rateLimitRefusals: counter('rate_limit_refusals_total', 'Calls over the rate limit by tier', 'tier'),
    countedAlone: counter(
      'rate_limit_counted_alone_total',
      'Calls counted in this process alone because Redis was away',
    ),
    callsNotLogged: counter(
      'request_log_missing_total',
      'API calls left out of the request log: their account made too many, too many were waiting, or the database was away',
      'reason',
    ),
    supplierCallsNotLogged: counter(
      'supplier_log_missing_total',
      'Calls to suppliers left out of their log: too many were waiting, or the database was away',
      'reason',
    ),
    jobBatches: counter('job_batches_total', 'Looks for work by job and outcome', 'job', 'outcome'),
    supplierCall: histogram('supplier_call_seconds', 'Calls to suppliers', CALL_BOUNDS, 'supplier', 'call', 'outcome'),
    chargeDifferences: counter(
      'charge_differences_total',
      'Orders whose supplier charged another price than expected',
      'supplier',
      'direction',
    ),
    routedOrders: counter(
      'routed_orders_total',
      'Orders that went from one supplier to another, by the reason',
      'from',
      'to',
      'reason',
    ),
    delivery: histogram('delivery_seconds', 'Attempts to deliver a webhook', CALL_BOUNDS, 'world', 'outcome'),
    deliveryDelay: histogram(
      'delivery_delay_seconds',
      'From an event to the end of its first attempt',
      DELAY_BOUNDS,
      'world',
    ),
    connections: gauge(
      'database_connections',
      'Connections by pool: used, idle, and callers waiting for one',
      'pool',
      'state',
    ),
    connectionWaits: counter('database_waits_total', 'Callers that found every connection of a pool in use', 'pool'),
    reads: counter(
      'replica_reads_total',
      'Reads that may go to a replica, by world and who answered: a replica, or the primary because the replica was behind or away',
      'world',
      'answered_by',
    ),
    silentSuppliers: gauge('silent_suppliers', 'Suppliers whose orders are deferred because they do not answer'),

    /** Replaces what was last read from the database; a figure that is missing now is not printed. */
    setFromDatabase(figures: readonly DatabaseFigure[]): void {
      for (const [name, labels, one] of fromDatabase) {
        one.reset();
        for (const { gauge, of, value } of figures) {
          if (gauge !== name) continue;
          const values = of.split('\n');
          one.set(Object.fromEntries(labels.map((label, i) => [label, values[i] ?? ''])), value);
        }
      }
    },
    beforePrint(read: () => void | Promise<void>): void {
      readers.push(read);
    },
    /** Memory, processor time, event loop and garbage collection. Not for short-lived processes: it keeps watching. */
    watchProcess(): void {
      if (isWatching) return;
      isWatching = true;
      collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
      // They are gauges with the names of counters; the same figures without `_total` are there by type.
      for (const name of MISNAMED) registry.removeSingleMetric(name);
    },
    async print(): Promise<string> {
      await Promise.all(readers.map((read) => read()));
      return registry.metrics();
    },
  };
}
