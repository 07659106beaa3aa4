import { fail } from '../../../platform/contract/failure.ts';
import type { Tier } from '../../../platform/contract/key-terms.ts';
import { type Endpoint, patternOf } from '../endpoint.ts';

/** Where a path leads: an endpoint, or why there is none. */
export interface Route {
  readonly endpoint: Endpoint | undefined;
  /** As it was sent, until the URL is decoded. */
  readonly param: string;
  readonly problem: 'unknown_endpoint' | 'unknown_method' | undefined;
  /** What the log says instead of the path: people put keys and activation codes into paths. */
  readonly pattern: string;
}

/** The tier of paths that name no endpoint. */
export const UNKNOWN_PATH_TIER: Tier = 'read';
export const tierOf = (route: Route): Tier => route.endpoint?.tier ?? UNKNOWN_PATH_TIER;

const nowhere = (problem: 'unknown_endpoint' | 'unknown_method'): Route => ({
  endpoint: undefined,
  param: '',
  problem,
  pattern: problem,
});
export const UNKNOWN_ENDPOINT = nowhere('unknown_endpoint');
const UNKNOWN_METHOD = nowhere('unknown_method');

/**
 * The API's own router, not `Pattern` of the kit: its refusals tell an unknown resource from an unknown action, and it is on the
 * path of every call. The rule for reading paths is the same (`platform/http/target.ts`): names are compared as sent, the parameter
 * is decoded.
 */
export class Router {
  readonly #resources = new Map<string, Map<string, Action>>();
  /** Paths as most clients write them, found without splitting. */
  readonly #exact = new Map<string, Route>();

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) {
      const [, resource = '', action = '', needsParam] = endpoint.path.split('/');
      const actions = this.#resources.get(resource) ?? new Map<string, Action>();
      const route = { endpoint, param: '', problem: undefined, pattern: patternOf(endpoint) };
      const { alone, withParam } = actions.get(action) ?? {};
      actions.set(action, {
        alone: needsParam ? alone : route,
        withParam: endpoint.param ? route : withParam,
      });
      this.#resources.set(resource, actions);
      if (!needsParam) this.#exact.set(`/${resource}/${action}`, route);
    }
  }

  /** `path` is relative to the base path: '', '/order', '/order/detail/17'. One trailing slash is ignored. */
  find(path: string): Route {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
    const [, resource = '', action = '', ...more] = trimmed.split('/');
    const actions = this.#resources.get(resource);
    if (!actions) return UNKNOWN_ENDPOINT;
    const { alone, withParam } = actions.get(action) ?? {};
    const [param] = more;
    const route = param === undefined ? alone : withParam;
    if (!route || more.length > 1) return UNKNOWN_METHOD;
    return param ? { ...route, param } : route;
  }
}

/** What stands at the path of an action, and at the path with something behind it. */
interface Action {
  readonly alone: Route | undefined;
  readonly withParam: Route | undefined;
}

/** HEAD answers as GET. */
export function requireVerb(endpoint: Endpoint, method: string): void {
  const verb = method === 'HEAD' ? 'GET' : method;
  if (verb !== endpoint.verb) throw fail('method_not_allowed', { allow: endpoint.verb });
}
