import type { ErrorBody } from './contract.ts';

/** What every refusal has, whatever its code. */
interface Refused {
  readonly httpStatus: number;
  /** Quote it when you ask the operator for help. */
  readonly requestId: string | undefined;
  /** The key a purchase was sent with. */
  readonly idempotencyKey: string | undefined;
}

/** Replaced by `code`, or without a meaning to a program. */
type Envelope = 'result' | 'code' | 'error' | 'title' | 'message' | 'api_version';

type RefusedWith<Body> = Body extends { error: infer Code }
  ? Error & Refused & { readonly code: Code; readonly body: Body } & Readonly<Omit<Body, Envelope>>
  : never;

/**
 * The server refused a call. `code` says why, and the fields that come with a code are known once you have compared it:
 * `if (error.code === 'insufficient_balance') error.required`. A server newer than this SDK can answer with codes not listed here.
 */
export type WayfareError = RefusedWith<ErrorBody>;

const Refusal = class WayfareError extends Error implements Refused {
  readonly httpStatus: number;
  readonly code: string;
  readonly requestId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: ErrorBody;

  constructor(body: ErrorBody, about: Refused & { path: string }) {
    const { result, code, error, title, message, api_version, ...fields } = body;
    // A server older than this SDK says nothing.
    const said = `${about.path} was refused with ${about.httpStatus} ${error}${message ? `: ${message}` : ''}`;
    super(`${said}${about.requestId ? ` (request ${about.requestId})` : ''}`);
    Object.assign(this, fields);
    this.name = 'WayfareError';
    this.httpStatus = about.httpStatus;
    this.code = body.error;
    this.requestId = about.requestId;
    this.idempotencyKey = about.idempotencyKey;
    this.body = body;
  }
};

/** `error instanceof WayfareError` makes the error one of the union above. */
export const WayfareError = Refusal as unknown as {
  new (...about: ConstructorParameters<typeof Refusal>): WayfareError;
  readonly prototype: WayfareError;
};

/**
 * No answer of the API came: the connection failed, time ran out, or something in between answered. A purchase may have succeeded
 * all the same. To find out, send it again with `idempotencyKey`.
 */
export class WayfareConnectionError extends Error {
  readonly isTimeout: boolean;
  /** What a proxy or a wrong address answered. */
  readonly httpStatus: number | undefined;
  readonly requestId: string | undefined;
  readonly idempotencyKey: string | undefined;

  constructor(
    message: string,
    about: {
      isTimeout?: boolean;
      httpStatus?: number;
      requestId?: string | undefined;
      idempotencyKey?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(`${message}${about.requestId ? ` (request ${about.requestId})` : ''}`, { cause: about.cause });
    this.name = 'WayfareConnectionError';
    this.isTimeout = about.isTimeout ?? false;
    this.httpStatus = about.httpStatus;
    this.requestId = about.requestId;
    this.idempotencyKey = about.idempotencyKey;
  }
}
