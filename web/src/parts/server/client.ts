import { errors } from '../../../../src/platform/contract/errors.ts';
import { reasonText, refusalText } from './blockedAddress.ts';
import { askToConfirm } from './confirmation.ts';
import { reportAnswered, reportAway } from './reach.ts';

/** A request the server refused, with its code and reason. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  /** The field it is about, where the server names one. */
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

/** Not carried out: another operator has to approve it first. It is thrown, so that no form takes it for success. */
export class Proposed extends Error {
  readonly proposal: number;

  constructor(proposal: number) {
    super('Proposed: another operator has to approve it.');
    this.proposal = proposal;
  }
}

/** The error to show at a field, if the refusal is about it. */
export const refusedAs = (error: unknown, ...codes: readonly string[]): string | undefined =>
  error instanceof Refusal && codes.includes(error.code) ? error.message : undefined;

export const isSignedOut = (error: unknown): boolean => error instanceof Refusal && error.code === 'sign_in_required';

/** A proxy answered that it got no answer, or the server that it cannot reach its database. */
const isGatewayError = (status: number): boolean => [502, 503, 504].includes(status);

/** Whether anything answers at the address of this page, even if only a refusal. */
export async function isServerThere(): Promise<boolean> {
  const answer = await fetch('', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  return answer !== undefined && !isGatewayError(answer.status);
}

/** No answer came, or a proxy answered that it got none, or the server that it cannot reach its database. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'unreachable' || isGatewayError(error.status));

/** A mailed link that was used, replaced or expired; other failures say nothing about the link. */
export const isInvalidLink = (error: unknown): boolean => error instanceof Refusal && error.code === 'link_not_valid';

export type Query = Readonly<Record<string, string | number | undefined>>;
type Body = { readonly json: object } | { readonly form: Query };

export const getFrom = <T>(path: string, query: Query = {}): Promise<T> => ask('GET', withQuery(path, query));

/**
 * A change to be sent under an idempotency key: with the same key it is made once, however often it is sent. `useChange`
 * creates the key.
 */
export type Change<T> = (key: string) => Promise<T>;

/** Not `randomUUID`, which browsers have only on https pages. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The same change, with its answer passed through `then`. */
export const andThen =
  <A, B>(change: Change<A>, next: (answer: A) => B): Change<B> =>
  (key) =>
    change(key).then(next);

/** If the server wants the password again first, a dialog asks for it, and the same request is repeated. */
export const postTo =
  <T>(path: string, json: object = {}): Change<T> =>
  (key) => {
    const send = () => ask<T>('POST', path, { json }, key);
    return send().catch(async (error) => {
      const needsPassword = error instanceof Refusal && error.code === 'confirmation_required';
      if (!needsPassword) throw error;
      if (!(await askToConfirm()))
        throw new Refusal(error.status, error.code, 'Nothing was changed, because you did not enter your password.');
      return send();
    });
  };

/** The same with a form in place of JSON. */
export const postForm =
  <T>(path: string, form: Query): Change<T> =>
  (key) =>
    ask('POST', path, { form }, key);

const READ_MS = 30_000;

async function ask<T>(method: string, path: string, body?: Body, key = ''): Promise<T> {
  // A read that hangs is as good as none. A change may take long, and what became of it has to be known.
  const limited = body ? sent(body, key) : { signal: AbortSignal.timeout(READ_MS) };
  const answer = await fetch(path, { method, ...limited }).catch(() => {
    reportAway();
    throw new Refusal(0, 'unreachable', 'We can’t reach the server. Check your connection and try again.');
  });
  if (isGatewayError(answer.status)) reportAway();
  else reportAnswered();
  const said: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok || said === undefined) throw refusal(answer.status, said);
  return said as T;
}

function sent(body: Body, key: string): RequestInit {
  const headers = { 'idempotency-key': key };
  if ('json' in body)
    return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body.json) };
  return { headers, body: new URLSearchParams(plain(body.form)) };
}

const plain = (query: Query): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

export function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams(plain(query)).toString();
  return text === '' ? path : `${path}?${text}`;
}

interface Said {
  /** The panel's own API refuses with an object, the v3 API with a bare code. */
  readonly error?: string | { readonly code: string; readonly message: string; readonly field?: string };
  readonly [extra: string]: unknown;
}

function refusal(status: number, body: unknown): Refusal {
  const { error, ...extra } = (body ?? {}) as Said;
  if (typeof error === 'object')
    return new Refusal(status, error.code, refusalText(error.code, error.message), error.field);
  if (error === undefined)
    return new Refusal(status, 'no_answer', `The server answered with status ${status} and gave no reason.`);
  return new Refusal(status, error, meaning(error, extra));
}

const notReplaceable: Readonly<Record<string, string>> = {
  used: 'This eSIM was used and is still on the phone, so it can’t be replaced.',
  replaced: 'This eSIM was replaced already.',
  refunded: 'This eSIM was refunded, so it can’t be replaced.',
  not_delivered: 'This eSIM was not delivered yet, so it can’t be replaced.',
};

/** The v3 API answers with a code. For people we add the sentence the contract has for it, and the limits it names. */
function meaning(code: string, { retry_after, min, max, reason, why }: Readonly<Record<string, unknown>>): string {
  if (code === 'rate_limited') return `Too many requests in a minute. Try again in ${retry_after} seconds.`;
  if (code === 'not_replaceable' && typeof why === 'string') return notReplaceable[why] ?? why;
  const sentence = code in errors ? errors[code as keyof typeof errors].meaning.replaceAll('`', '') : code;
  const range = min !== undefined && max !== undefined ? ` Accepted: ${min} to ${max}.` : '';
  return `${sentence}${range}${reason === undefined ? '' : ` ${reasonText(String(reason))}`}`;
}
