import { OwnJson } from '../../../platform/log.ts';
import type { ApiRequest } from './api-request.ts';

/** What the log says of an answered request. */
export class RequestLine extends OwnJson {
  readonly requestId: string;
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly key: number | string | undefined;
  readonly ms: number;

  constructor({ id, host, method, route, caller }: ApiRequest, status: number, ms: number) {
    super();
    this.requestId = id;
    this.host = host.environment;
    this.method = method;
    this.path = route.pattern;
    this.status = status;
    this.key = caller?.quota;
    this.ms = ms;
  }

  /** Nothing but a member's quota could need escaping: the rest are numbers, names of ours, and methods that Node knows. */
  json(): string {
    const { requestId, host, method, path, status, key, ms } = this;
    const named = key === undefined ? '' : `,"key":${typeof key === 'number' ? key : JSON.stringify(key)}`;
    return `"requestId":"${requestId}","host":"${host}","method":"${method}","path":"${path}","status":${status}${named},"ms":${ms}`;
  }
}
