import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demoImports } from '../../catalog/catalog.ts';
import type { Db } from '../../db/database.ts';
import type { Behaviour } from './behaviours.ts';
import { iccidOfOrder } from './esims.ts';
import { type OrderRequest, type RefillRequest, type StoredOrder, simulatedStore } from './store.ts';

/** The simulated supplier: a small wholesale service, called over HTTP like a real one, with faults on demand. */
export interface SimulatedService {
  readonly url: string;
  close(): Promise<void>;
}

const SMDP_ADDRESS = 'rsp.simulated.example';

export async function startSimulatedService(
  db: Db,
  options: { now: () => number; port?: number },
): Promise<SimulatedService> {
  const { now } = options;
  const store = simulatedStore(db, now);

  async function order(asked: OrderRequest | RefillRequest, response: ServerResponse): Promise<void> {
    const stored = await ('iccid' in asked ? store.takeRefill(asked) : store.take(asked));
    sendAs(stored.behaviour, response, ...answerOf(stored, now()));
  }

  async function find(reference: string, response: ServerResponse): Promise<void> {
    const stored = await store.find(reference);
    if (!stored) return send(response, 404, { error: 'unknown reference' });
    // A plan set to time out also stays silent about its orders. Otherwise the fault would heal within the same request.
    if (stored.behaviour === 'timeout') return stayOut(response);
    send(response, ...answerOf(stored, now()));
  }

  async function usage(iccid: string, response: ServerResponse): Promise<void> {
    const found = await store.usage(iccid);
    if (!found) return send(response, 404, { error: 'unknown ICCID' });
    send(response, 200, {
      iccid,
      active: found.activatedAt !== null,
      total_mb: found.totalMb,
      used_mb: found.usedMb,
      activated_at: found.activatedAt,
      expires_at: found.expiresAt,
    });
  }

  async function withdraw(iccid: string, response: ServerResponse): Promise<void> {
    const stored = await store.withdraw(iccid);
    if (!stored) return send(response, 404, { error: 'unknown ICCID' });
    const { withdrawn, behaviour } = stored;
    sendAs(behaviour, response, withdrawn ? 200 : 409, { iccid, state: withdrawn ? 'withdrawn' : 'in use' });
  }

  /** The demo catalog is what the simulated suppliers sell. */
  async function plans(slug: string, response: ServerResponse): Promise<void> {
    const list = (await demoImports()).find(({ supplier }) => (supplier as { slug: string }).slug === slug);
    send(response, list ? 200 : 404, list ?? { error: 'unknown supplier' });
  }

  /** PUT and GET /orders/{reference}, GET /usage/{iccid}, PUT /withdrawals/{iccid}, GET /plans/{supplier}. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query] = (request.url ?? '').split('?');
    const [, resource, given = ''] = path.split('/');
    const name = decodeURIComponent(given);
    if (resource === 'orders' && request.method === 'GET') return find(name, response);
    if (resource === 'plans' && request.method === 'GET') return plans(name, response);
    if (resource === 'usage' && request.method === 'GET') return usage(name, response);
    if (resource === 'withdrawals' && request.method === 'PUT') return withdraw(name, response);
    const asked = resource === 'orders' && request.method === 'PUT' && parseOrder(name, query);
    if (asked) return order(asked, response);
    send(response, 400, { error: 'malformed request' });
  }

  // Only we connect here, and connections may idle for long between calls, so there are no timers per request.
  const server = createServer({ keepAliveTimeout: 0, headersTimeout: 0, requestTimeout: 0 }, (request, response) => {
    request.resume();
    response.sendDate = false;
    answer(request, response).catch(() =>
      response.headersSent ? response.destroy() : send(response, 500, { error: 'internal' }),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answerOf(stored: StoredOrder, now: number): [status: number, body: Record<string, unknown>] {
  const { reference } = stored;
  if (stored.refused) return [422, { reference, state: 'refused', reason: 'plan not available' }];
  const order = `S${stored.id}`;
  if (stored.readyAt.getTime() > now) return [202, { reference, state: 'pending', order }];
  if (stored.refillOf !== null) return [200, { reference, state: 'refilled', order, iccid: stored.refillOf }];
  return [
    200,
    {
      reference,
      state: 'delivered',
      order,
      iccid: iccidOfOrder(stored.id),
      smdp: SMDP_ADDRESS,
      matching_id: stored.matchingId,
    },
  ];
}

/** Everything is stored before this: whatever goes wrong, only the answer is lost. */
function sendAs(behaviour: Behaviour, response: ServerResponse, status: number, body: Record<string, unknown>): void {
  if (behaviour === 'timeout') stayOut(response);
  else if (behaviour === 'break') breakOff(response, body);
  else if (behaviour === 'duplicate') sendTwice(response, status, body);
  else send(response, status, body);
}

const headers = (text: string): string[] => [
  'content-type',
  'application/json',
  'content-length',
  String(Buffer.byteLength(text)),
];

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, headers(text));
  response.end(text);
}

/** Never answers. The connection closes when the caller gives up. */
function stayOut(_response: ServerResponse): void {}

/** Sends half an answer, then drops the connection. */
function breakOff(response: ServerResponse, body: Record<string, unknown>): void {
  const text = JSON.stringify(body);
  response.writeHead(200, headers(text));
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** Sends the answer twice. A careless client takes the second one for the answer to its next request. */
function sendTwice(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  const { socket } = response;
  const text = JSON.stringify(body);
  response.once('finish', () => {
    socket?.write(
      `HTTP/1.1 ${status} Again\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
  });
  send(response, status, body);
}

/** With an ICCID it is a refill of that eSIM. */
function parseOrder(reference: string, query: string | undefined): OrderRequest | RefillRequest | undefined {
  const asked = new URLSearchParams(query);
  const plan = asked.get('plan');
  const amountMb = Number(asked.get('amount_mb') ?? Number.NaN);
  const day = Number(asked.get('day') ?? Number.NaN);
  if (!reference || !plan || !Number.isInteger(amountMb) || !Number.isInteger(day)) return undefined;
  const iccid = asked.get('iccid');
  return { reference, plan, amountMb, day, ...(iccid !== null && { iccid }) };
}
