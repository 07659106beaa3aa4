import type { LoggedField, NotedCall } from '../../../domains/insight/request-log/request-log.ts';
import type { ErrorCode } from '../../../platform/contract/errors.ts';
import type { Failure } from '../../../platform/contract/failure.ts';
import { bigIdIn } from '../../../platform/contract/ids.ts';
import type { Form } from '../../../platform/http/form.ts';
import type { ApiRequest } from './api-request.ts';
import { type Ground, SimulatedFailure } from './gates.ts';
import { maskedFields, maskedPath } from './masked-fields.ts';
import type { Route } from './route.ts';

/**
 * Leaves an answered call of a key in its account's request log. This is on the path of every request: it may allocate one object,
 * and everything that takes time waits until the call is written.
 */
export function noteCall(
  ground: Ground,
  req: ApiRequest,
  status: number,
  failed: Failure | undefined,
  orderId: unknown,
  ms: number,
): void {
  const { caller } = req;
  // A member's quota is not a number; their calls in the panel are not API calls.
  if (!caller || typeof caller.quota !== 'number') return;
  const log = ground.worlds[caller.mode].requestLog;
  if (!log.takes(caller.partnerId, req.method === 'POST' && status < 400)) return;
  log.note(
    new ApiCall(req, caller.partnerId, caller.quota, status, failed, orderId, ms, ground.clientAddress(req.incoming)),
  );
}

/** Longer bodies do not wait in memory until they are written. */
const MAX_BODY = 8 * 1024;

/** Holds what the request was parsed into, but not the request: that would keep its connection in memory. */
class ApiCall implements NotedCall {
  readonly requestId: string;
  readonly partnerId: number;
  readonly keyId: number;
  readonly at: number;
  readonly method: string;
  readonly status: number;
  readonly error: ErrorCode | '';
  readonly isSimulated: boolean;
  readonly durationMs: number;
  readonly address: string;
  readonly #route: Route;
  readonly #path: string;
  readonly #query: Form;
  readonly #body: Form | undefined;
  readonly #wantedError: unknown;
  readonly #orderId: unknown;

  constructor(
    req: ApiRequest,
    partnerId: number,
    keyId: number,
    status: number,
    failed: Failure | undefined,
    orderId: unknown,
    ms: number,
    address: string,
  ) {
    this.requestId = req.id;
    this.partnerId = partnerId;
    this.keyId = keyId;
    this.at = req.now;
    this.method = req.method;
    this.status = status;
    this.error = failed ? failed.code : '';
    this.isSimulated = failed instanceof SimulatedFailure;
    this.durationMs = ms;
    this.address = address;
    this.#route = req.route;
    this.#path = req.path;
    this.#query = req.query;
    this.#body = req.body.length > MAX_BODY ? undefined : req.body;
    this.#wantedError = req.incoming.headers['x-sandbox-error'];
    this.#orderId = orderId;
  }

  get endpoint(): string {
    return this.#route.endpoint ? this.#route.pattern : maskedPath(this.#path);
  }

  /** The order in the answer, or the one the request names if it was found. A simulated refusal names an order that does not exist. */
  get orderId(): bigint | undefined {
    if (this.isSimulated) return undefined;
    if (typeof this.#orderId === 'number') return BigInt(this.#orderId);
    const { endpoint, param } = this.#route;
    const orderId = endpoint?.path === '/order/detail' ? param : this.#body?.get('order_id');
    return this.status < 400 && typeof orderId === 'string' ? bigIdIn(orderId) : undefined;
  }

  fields(): LoggedField[] {
    return maskedFields({ route: this.#route, query: this.#query, body: this.#body, wantedError: this.#wantedError });
  }
}
