import type { Form } from '../../../platform/http/form.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Route } from './route.ts';

/** Accepted by every endpoint of a key that can simulate errors, in the query and in the body. Live keys may send it, too. */
const SIMULATION = 'sandbox_error';
/** Has an answer of its own wherever it is sent. */
const REFUSED = 'api_key';

const MAX_NAMES = 20;

/** Whether the endpoint has a field of this name, wherever it was sent. */
export const declares = (endpoint: Endpoint | undefined, name: string): boolean =>
  endpoint !== undefined && (Object.hasOwn(endpoint.fields, name) || name === SIMULATION);

/** Whether the endpoint reads a field of this name there: of the query if it is a GET, of the body if it is a POST. */
export const reads = (endpoint: Endpoint, place: 'query' | 'body', name: string): boolean =>
  name === SIMULATION || (Object.hasOwn(endpoint.fields, name) && (place === 'query') === (endpoint.verb === 'GET'));

/**
 * What the caller sent and the endpoint does not know, by name, in the order sent; undefined: nothing. The contract does not refuse
 * it, so this is how a misspelt field is noticed. An unknown path has no fields, and is refused for another reason.
 */
export function ignoredFields({ endpoint }: Route, query: Form, body: Form): readonly string[] | undefined {
  if (!endpoint) return undefined;
  const names = unreadIn(body, 'body', endpoint, unreadIn(query, 'query', endpoint, undefined));
  return names && [...names].slice(0, MAX_NAMES);
}

/** Adds to the names. Nearly every request has none, and then nothing is allocated. */
function unreadIn(
  form: Form,
  place: 'query' | 'body',
  endpoint: Endpoint,
  names: Set<string> | undefined,
): Set<string> | undefined {
  if (form.length === 0) return names;
  for (const name of form.names()) {
    if (name === REFUSED || name === '' || reads(endpoint, place, name)) continue;
    names ??= new Set();
    names.add(name);
  }
  return names;
}
