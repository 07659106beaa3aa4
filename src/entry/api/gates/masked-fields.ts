import type { LoggedField } from '../../../domains/insight/request-log/request-log.ts';
import { notPlain, type RawValue } from '../../../platform/contract/fields.ts';
import type { Form } from '../../../platform/http/form.ts';
import { redact } from '../../../platform/log.ts';
import { declares, reads } from './api-request.ts';
import type { Route } from './route.ts';

/*
 * What the request log keeps of a request's fields. A value is kept only if its endpoint declares the field, so what a client sends by
 * mistake (a card number, a password of its own) never gets there. Of the declared ones, those named like a secret are left out,
 * URLs lose credentials, query and fragment, and anything shaped like one of our own secrets is cut out of every text.
 */

const MAX_VALUE = 200;
/** All fields of a call together, in characters. */
const MAX_TOTAL = 1_500;

/** Names of secrets. An idempotency key opens nothing, and it is what a developer looks for. */
const SECRET_NAME = /secret|password|token|signature|auth|card|cvc|(^|_)key$/i;
const NO_SECRET = ['idempotency_key'];
/** Undeclared names that are kept. A body that is not a form becomes one long name, with everything in it. */
const PLAIN_NAME = /^[a-z][\w.-]{0,29}$/i;
const URL_IN_TEXT = /[a-z][a-z0-9+.-]*:\/\/\S+/gi;

const LEFT_OUT = { name: '…', value: '', note: 'shortened' } as const;

interface SentFields {
  readonly route: Route;
  readonly query: Form;
  /** Undefined: it was too long to be kept. */
  readonly body: Form | undefined;
  /** The header that asks for a simulated error. */
  readonly wantedError: unknown;
}

export function maskedFields({ route: { endpoint, param }, query, body, wantedError }: SentFields): LoggedField[] {
  const sent: LoggedField[] = [];
  if (endpoint?.param && param !== '') sent.push(shown('path', endpoint.param.name, param, true));
  if (typeof wantedError === 'string' && wantedError !== '')
    sent.push(shown('header', 'X-Sandbox-Error', wantedError, true));
  const show = (place: 'query' | 'body', form: Form) => {
    for (const [name, value] of form.entries()) {
      const field = shown(place, name, value, declares(endpoint, name));
      const isIgnored = field.note === undefined && endpoint && !reads(endpoint, place, name);
      sent.push(isIgnored ? { ...field, note: 'misplaced' } : field);
    }
  };
  show('query', query);
  if (body) show('body', body);
  if (!body) sent.push({ in: 'body', ...LEFT_OUT });
  return withinTotal(sent);
}

/** Of a path that leads nowhere, as much as the router reads, where it looks like names. */
export function maskedPath(path: string): string {
  const [, ...segments] = path.split('/');
  const named = segments.slice(0, 2).map((segment) => (PLAIN_NAME.test(segment) ? redact(segment) : '…'));
  return `/${[...named, ...(segments.length > 2 ? ['…'] : [])].join('/')}`;
}

function shown(place: LoggedField['in'], name: string, value: RawValue, isDeclared: boolean): LoggedField {
  if (!isDeclared)
    return { in: place, name: PLAIN_NAME.test(name) ? redact(name) : '…', value: '', note: 'undeclared' };
  if (value === notPlain) return { in: place, name, value: '', note: 'unreadable' };
  if (isSecret(name)) return { in: place, name, value: '', note: 'hidden' };
  const masked = redact(withoutCredentials(name, value ?? ''));
  if (masked.length <= MAX_VALUE) return { in: place, name, value: masked };
  return { in: place, name, value: masked.slice(0, MAX_VALUE), note: 'shortened' };
}

/** By declared name, of which there are few. */
const secretNames = new Map<string, boolean>();

function isSecret(name: string): boolean {
  const known = secretNames.get(name);
  if (known !== undefined) return known;
  const found = SECRET_NAME.test(name) && !NO_SECRET.includes(name);
  secretNames.set(name, found);
  return found;
}

/** URLs without what may be secret in them. */
export function withoutCredentials(name: string, value: string): string {
  if (name === 'url') return maskUrl(value);
  return value.includes('://') ? value.replace(URL_IN_TEXT, maskUrl) : value;
}

/** Scheme, host and path. Of what cannot be parsed, or names no host, nothing is kept: it may be an activation code. */
function maskUrl(text: string): string {
  if (!URL.canParse(text)) return '…';
  const { protocol, host, pathname, username, password, search, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return '…';
  const credentials = username === '' && password === '' ? '' : '…@';
  return `${protocol}//${credentials}${host}${pathname}${search === '' ? '' : '?…'}${hash === '' ? '' : '#…'}`;
}

function withinTotal(fields: readonly LoggedField[]): LoggedField[] {
  const kept: LoggedField[] = [];
  let left = MAX_TOTAL;
  for (const field of fields) {
    left -= field.name.length + field.value.length + FRAME;
    if (left < 0) return [...kept, { in: field.in, ...LEFT_OUT }];
    kept.push(field);
  }
  return kept;
}

/** What a field takes besides its name and value. */
const FRAME = 40;
