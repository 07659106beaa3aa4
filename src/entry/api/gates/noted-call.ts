import type { LoggedField, NotedCall } from '../../../domains/insight/request-log/request-log.ts';
import type { ErrorCode } from '../../../platform/contract/errors.ts';
import type { Failure } from '../../../platform/contract/failure.ts';
import { bigIdIn } from '../../../platform/contract/ids.ts';
import type { Form } from '../../../platform/http/form.ts';
import type { LargeBody } from '../../../platform/http/large-body.ts';
import type { ApiRequest } from './api-request.ts';
import { type Ground, SimulatedFailure } from './gates.ts';
import { MOST_KEPT, maskedAnswer } from './masked-answer.ts';
import { maskedFields, maskedPath } from './masked-fields.ts';
import type { Route } from './route.ts';

interface NotedAnswer {
  readonly status: number;
  readonly failed: Failure | undefined;
  readonly orderId: unknown;
  readonly ms: number;
  /** As it is sent, perhaps compressed. */
  readonly body: string | Buffer | LargeBody;
  /** Its text, where it has one that is at hand. */
  readonly text: string | Buffer | undefined;
}

/**
 * Leaves an answered call of a key in its account's request log. This is on the path of every request: it may allocate one object,
 * and everything that takes time waits until the call is written.
 */
export function noteCall(ground: Ground, req: ApiRequest, answer: NotedAnswer): void {
  const { caller } = req;
  // A member's quota is not a number; their calls in the panel are not API calls.
  if (!caller || typeof caller.quota !== 'number') return;
  const log = ground.worlds[caller.mode].requestLog;
  if (!log.takes(caller.partnerId, req.method === 'POST' && answer.status < 400)) return;
  // A text of many requests is in memory anyway; what was made for this one is held until it is written.
  const isHeld = answer.text !== undefined && log.holds(typeof answer.text === 'string' ? answer.text.length : 0);
  log.note(new ApiCall(req, caller.partnerId, caller.quota, answer, isHeld, ground.clientAddress(req.incoming)));
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
  readonly #answer: string | Buffer | undefined;
  readonly answerLength: number;

  constructor(
    req: ApiRequest,
    partnerId: number,
    keyId: number,
    { status, failed, orderId, ms, body, text }: NotedAnswer,
    isHeld: boolean,
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
    this.#answer = isHeld ? text : undefined;
    this.answerLength = status === 304 ? 0 : (text ?? body).length;
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

  get held(): number {
    return typeof this.#answer === 'string' ? this.#answer.length : 0;
  }

  answer(): string | null {
    const text = this.#answer;
    if (text === undefined || this.answerLength === 0) return null;
    // One character takes four bytes at most.
    return maskedAnswer(typeof text === 'string' ? text : text.toString('utf8', 0, 4 * MOST_KEPT));
  }

  fields(): LoggedField[] {
    return maskedFields({ route: this.#route, query: this.#query, body: this.#body, wantedError: this.#wantedError });
  }
}
