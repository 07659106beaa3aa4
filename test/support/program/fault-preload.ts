/**
 * Loaded into a server under test with `--import`: finds every step a request takes (statements, commits, calls to the
 * supplier, answers) by itself and, when told to over IPC, breaks something at exactly one of them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import http from 'node:http';
import pg from 'pg';
import { Flight } from '../../../src/platform/db/query/flight.ts';

export type Fault = 'kill' | 'cut' | 'stop';
export type Order = { arm: { step: number; fault: Fault; postgresPid: number } | 'count' };
export interface StepReport {
  steps: string[];
}

const following = new AsyncLocalStorage<true>();
const clients = new Set<pg.Client>();
let armed: { step: number; fault: Fault; postgresPid: number } | undefined;
let steps: string[] = [];

process.on('message', (order: Order) => {
  if (order.arm === 'count') process.send?.({ steps } satisfies StepReport);
  armed = order.arm === 'count' ? undefined : order.arm;
  steps = [];
});
process.channel?.unref();

function step(label: string): void {
  steps.push(label);
  if (!armed || steps.length !== armed.step) return;
  const { fault, postgresPid } = armed;
  armed = undefined;
  if (fault === 'kill') process.kill(process.pid, 'SIGKILL');
  if (fault === 'stop') process.kill(postgresPid, 'SIGQUIT');
  if (fault === 'cut')
    for (const client of clients)
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  // The rest of this step must run after the fault.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fault === 'kill' ? 5_000 : 60);
}

// Every request is followed through all it waits for.
const emit = http.Server.prototype.emit as (this: http.Server, ...args: unknown[]) => boolean;
http.Server.prototype.emit = function (this: http.Server, ...args: unknown[]): boolean {
  return args[0] === 'request' ? following.run(true, () => emit.apply(this, args)) : emit.apply(this, args);
};

type Query = (this: pg.Client, config: unknown, ...rest: unknown[]) => unknown;
const query = pg.Client.prototype.query as unknown as Query;
pg.Client.prototype.query = function (this: pg.Client, config: unknown, ...rest: unknown[]): unknown {
  if (!clients.has(this)) {
    clients.add(this);
    this.once('end', () => clients.delete(this));
  }
  if (following.getStore() && config instanceof Flight) follow(config);
  return query.call(this, config, ...rest);
} as unknown as typeof pg.Client.prototype.query;

/** A step before and after each statement of a pipelined batch; by then the earlier statements were sent without the rest. */
function follow(flight: Flight): void {
  const labels = flight.statements.map(({ text }) => text.trim().replace(/\s+/g, ' ').slice(0, 40));
  let sent = 0;
  flight.send = (wire, ...args) => {
    wire.stream.uncork();
    step(`before ${labels[sent++]}`);
    Flight.prototype.send.call(flight, wire, ...args);
    wire.stream.cork();
  };
  const landed = flight.landed.then((landing) => {
    step(`after ${labels.at(-1)}`);
    return landing;
  });
  Object.assign(flight, { landed });
}

const followed = new WeakSet<object>();
const stepOfCall = (label: string) => (message: unknown) => {
  if (followed.has((message as { request: object }).request)) step(label);
};
subscribe('undici:request:create', (message) => {
  if (!following.getStore()) return;
  followed.add((message as { request: object }).request);
  step('before the call to the supplier');
});
subscribe('undici:request:bodySent', stepOfCall('during the call to the supplier'));
subscribe('undici:request:trailers', stepOfCall('after the call to the supplier'));

const end = http.ServerResponse.prototype.end;
http.ServerResponse.prototype.end = function (this: http.ServerResponse, ...args: unknown[]): http.ServerResponse {
  if (following.getStore()) step('before an answer');
  const result = (end as (...given: unknown[]) => http.ServerResponse).apply(this, args);
  if (following.getStore()) step('after an answer');
  return result;
} as typeof end;
