import type { Validator } from 'typebox/schema';
import { Refused } from '../../src/platform/contract/refused.ts';
import { type Described, operations } from './described.ts';
import { pathOf, type Shot } from './shot.ts';
import type { Got } from './wire.ts';

/** What is wrong with an answer. `kind` and `about` say which findings are the same. */
export interface Finding {
  readonly kind: 'server error' | 'unavailable' | 'undeclared' | 'no answer' | 'granted' | 'slow' | 'not the same';
  readonly about: string;
  readonly detail: unknown;
}

const SLOW_MS = 15_000;
/** A synchronous order waits for its eSIMs. */
const SLOW_DOOR_MS = 35_000;
/** Codes of the router; operations do not declare them. */
const NOWHERE = ['unknown_endpoint', 'unknown_method'];
/** Also without a key. */
const FOR_ALL = '/v3/openapi.json';
const ALWAYS = ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

// biome-ignore lint/suspicious/noExplicitAny: the body is what is being judged.
export type Body = any;

/** What the answer says; undefined when it is not JSON. */
export function parsed(got: Got): Body {
  if (!got.headers['content-type']?.startsWith('application/json') || got.body.length === 0) return undefined;
  if (got.headers['content-encoding']) return undefined;
  try {
    return JSON.parse(got.body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Undefined: the answer is what the description says. */
export function judge(shot: Shot, got: Got | undefined, body: Body): Finding | undefined {
  const at = `${shot.method} ${shot.operation?.path ?? shot.path.replaceAll(/\d+/g, 'N').slice(0, 60)}`;
  const found = (kind: Finding['kind'], about: string, detail: unknown): Finding => ({
    kind,
    about: `${at}: ${about}`,
    detail,
  });
  // If the client itself closes early, the server may do so, too.
  if (!got) return shot.isCut || shot.isBent ? undefined : found('no answer', 'the connection ended', undefined);
  const text = body ?? got.body.toString('utf8', 0, 500);
  const isHead = shot.method === 'HEAD';
  // Without a body an answer cannot say that it was asked for.
  const isSimulated = body?.sandbox_simulated === true || (isHead && pathOf(shot).includes('sandbox_error='));
  if (got.status >= 500 && !isSimulated) {
    // Pages that anybody can open answer one visitor at a time, and say so. Those of the panel are built by `npm run build`.
    if (got.status === 503 && /^(Busy|The panel was not built)/.test(String(text))) return undefined;
    if (got.status === 501 && shot.isBent) return undefined;
    // It has waited for its eSIMs, and a busy machine left no time to say so.
    if (got.status === 503 && shot.door && got.ms > SLOW_MS) return undefined;
    return found(
      got.status === 503 ? 'unavailable' : 'server error',
      `${got.status} ${body?.error?.code ?? body?.error ?? ''}`,
      text,
    );
  }
  if (got.ms > (shot.door ? SLOW_DOOR_MS : SLOW_MS)) return found('slow', 'took too long', Math.round(got.ms));
  if (shot.mustBeRefused && got.status < 300 && shot.path !== FOR_ALL) return found('granted', `${got.status}`, text);
  if (shot.json) return judgeJson(got, body, found);
  if (shot.door) return isHead || shot.isBent ? undefined : judgeDoor(got, body, found);
  if (!shot.operation) return undefined;
  const isOurs = body?.api_version === 3;
  if (shot.target === 'panel') {
    // The session is refused in the panel's own format, and what the panel does not offer does not exist there.
    if (got.status >= 400 && !isOurs) return isHead || shot.isBent ? undefined : judgeJson(got, body, found);
    if (body?.error === 'unknown_method' && got.status === 404) return undefined;
  }
  if (shot.isBent && !isOurs) return undefined;
  if (shot.isBent && (body?.result === 'ok' || NOWHERE.includes(body?.error))) return undefined;
  if (isOurs) {
    const missing = ALWAYS.filter((name) => got.headers[name] === undefined);
    if (missing.length > 0) return found('undeclared', `${got.status} has no ${missing.join(', ')}`, got.headers);
  }
  // A path that was bent may have led to another operation.
  const described = shot.isBent ? anywhere(got.status, body) : shot.operation.answers.get(got.status);
  if (!described) return found('undeclared', `status ${got.status} ${body?.error ?? ''}`, text);
  if (isHead || got.headers['content-encoding']) return undefined;
  const wrong = unlike(described, got, body);
  return wrong && found('undeclared', `${got.status} ${body?.error ?? ''} ${wrong.about}`, wrong.detail);
}

const anywhere = (status: number, body: Body): Described | undefined =>
  operations.map(({ answers }) => answers.get(status)).find((one) => one?.failures.has(body?.error));

function unlike(described: Described, got: Got, body: Body): { about: string; detail: unknown } | undefined {
  const absent = described.headers.filter(
    (name) => ['etag', 'retry-after', 'allow'].includes(name) && !got.headers[name],
  );
  if (absent.length > 0 && got.status !== 503) return { about: `without ${absent.join(', ')}`, detail: got.headers };
  if (got.status === 304) return got.body.length > 0 ? { about: 'has a body', detail: got.body.length } : undefined;
  if (body === undefined) return { about: 'is not JSON', detail: got.body.toString('utf8', 0, 500) };
  if (body.code !== String(got.status)) return { about: 'names another status', detail: body };
  const validator: Validator | undefined = body.result === 'ok' ? described.body : described.failures.get(body.error);
  if (!validator) return { about: 'is not declared', detail: body };
  // Explaining an error takes many times longer than checking that there is none.
  if (validator.Check(body)) return undefined;
  const [, errors] = validator.Errors(body);
  const first = errors[0];
  const where = `${first?.instancePath.replaceAll(/\d+/g, 'N')} ${first?.message}`;
  return {
    about: `is not as described: ${where}`,
    detail: { errors: errors.slice(0, 3), body: JSON.stringify(body).slice(0, 1_500) },
  };
}

type Found = (kind: Finding['kind'], about: string, detail: unknown) => Finding;

/** The panel's and the console's format: fields, or a refusal whose code has this status. */
function judgeJson(got: Got, body: Body, found: Found): Finding | undefined {
  if (got.status < 400) return undefined;
  if (got.body.length === 0 || got.headers['content-encoding']) return undefined;
  const code = body?.error?.code;
  if (typeof body?.error?.message !== 'string' || typeof code !== 'string') {
    // A malformed request is refused before routing.
    const isPlain = got.headers['content-type']?.startsWith('text/plain') && (got.status === 400 || got.status === 404);
    return isPlain || body?.error === 'malformed_request'
      ? undefined
      : found('undeclared', `${got.status} is no refusal`, body ?? got.body.toString('utf8', 0, 300));
  }
  const status = code === 'malformed_request' ? 400 : statusOf(code);
  return status === got.status ? undefined : found('undeclared', `${got.status} ${code}`, body);
}

/** Airalo's envelopes: what was asked for, a refusal by code, by field or in words. */
function judgeDoor(got: Got, body: Body, found: Found): Finding | undefined {
  if (got.status === 204 || got.status === 304 || got.headers['content-encoding']) return undefined;
  const isAnswered = body?.meta?.message === 'success' && body.data !== undefined;
  const isSent = typeof body?.success === 'string';
  const isRefused =
    (Number.isInteger(body?.code) && typeof body.reason === 'string') ||
    (body?.data !== undefined && typeof body.meta?.message === 'string' && body.meta.message !== 'success') ||
    [body?.message, body?.reason, body?.error].some((words) => typeof words === 'string');
  const isRight = got.status < 300 ? isAnswered || isSent : isRefused && got.status >= 400;
  return isRight ? undefined : found('undeclared', `${got.status} is no answer of theirs`, body ?? `${got.body}`);
}

function statusOf(code: string): number | undefined {
  try {
    return new Refused(code as 'not_found', '').status;
  } catch {
    return undefined;
  }
}
