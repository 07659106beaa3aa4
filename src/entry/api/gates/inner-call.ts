import type { Caller } from '../../../domains/partners/keys/keys.ts';
import type { Buyer } from '../../../platform/audit/audit-log.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { type Received, receivedWith } from '../../../platform/http/body.ts';
import type { Verdict } from '../../../platform/limits/rate-limit.ts';
import { traced } from '../../../platform/traces/traces.ts';
import { type Answered, type AnswerParts, answered } from './answer.ts';
import { ApiRequest } from './api-request.ts';
import { passGates, passMemberGates } from './edge.ts';

/** An API call made inside the process, without a connection. */
interface InnerCall {
  readonly mode: Mode;
  readonly key: string;
  /** Where it really comes from. */
  readonly address: string;
  readonly path: string;
  readonly param?: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly now: number;
  readonly buyer?: Buyer | undefined;
  /** Set: it was counted with others. */
  readonly verdict?: Verdict | undefined;
}

/** Passes the same gates as a call from outside: the key, its allow-list and its limits, and the request log. */
export const callApi = (parts: AnswerParts, call: InnerCall): Promise<Answered> => callInside(parts, call, passGates);

/** The same for a member, whose session takes the place of the key. */
export function callAsMember(
  parts: AnswerParts,
  member: Caller,
  call: Omit<InnerCall, 'key' | 'mode'>,
): Promise<Answered> {
  const { mode } = member;
  return callInside(parts, { ...call, mode, key: '' }, (ground, req) => {
    req.caller = member;
    return passMemberGates(ground, req, member);
  });
}

async function callInside(
  parts: AnswerParts,
  call: InnerCall,
  gates: Parameters<typeof answered>[2],
): Promise<Answered> {
  const { mode, path, param, now, buyer, verdict } = call;
  const target = param ? `${path}/${encodeURIComponent(param)}` : path;
  const verb = parts.router.find(target).endpoint?.verb ?? 'GET';
  const form = new URLSearchParams(call.fields).toString();
  const incoming = innerRequest(call, verb, verb === 'POST' ? form : '');
  const req = new ApiRequest(incoming, hostOf(mode), target, verb === 'GET' ? form : '', now);
  req.route = parts.router.find(req.path);
  Object.assign(req, { buyer, verdict });
  return traced('api call', {}, () => answered(parts, req, gates));
}

export const hostOf = (mode: Mode) =>
  ({ environment: mode, authority: '', port: 0, basePath: '', secure: false }) as const;

export function innerRequest(
  { address, key }: Pick<InnerCall, 'address' | 'key'>,
  method: string,
  form = '',
): Received {
  const body = Buffer.from(form);
  const headers = {
    'x-api-key': key,
    ...(body.length > 0 && {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(body.length),
    }),
  };
  return receivedWith({ method, headers, socket: { remoteAddress: address } }, body);
}
