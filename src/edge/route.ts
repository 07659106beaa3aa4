import type { Endpoint } from '../api/endpoint.ts';
import { fail } from '../contract/errors.ts';
import type { Tier } from '../contract/tiers.ts';

/** Where a path leads: an endpoint, or why there is none. */
export interface Route {
  readonly endpoint: Endpoint | undefined;
  /** As it came until the URL is decoded. */
  readonly param: string;
  readonly problem: 'unknown_endpoint' | 'unknown_method' | undefined;
}

/** What a path that names no endpoint counts as. */
export const UNKNOWN_PATH_TIER: Tier = 'read';
export const tierOf = (route: Route): Tier => route.endpoint?.tier ?? UNKNOWN_PATH_TIER;

export class Router {
  private readonly resources = new Map<string, Map<string, Endpoint>>();
  /** Paths as most clients write them, found without being taken apart. */
  private readonly exact = new Map<string, Route>();

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints) {
      const [, resource = '', action = ''] = endpoint.path.split('/');
      const actions = this.resources.get(resource) ?? new Map<string, Endpoint>();
      actions.set(action, endpoint);
      this.resources.set(resource, actions);
      this.exact.set(`/${resource}/${action}`, { endpoint, param: '', problem: undefined });
    }
  }

  /** `path` is relative to the base path: '', '/order', '/order/detail/17'. One trailing slash is ignored. */
  find(path: string): Route {
    const exact = this.exact.get(path);
    if (exact) return exact;
    const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
    const [, resource = '', action = '', ...more] = trimmed.split('/');
    const actions = this.resources.get(resource);
    if (!actions) return { endpoint: undefined, param: '', problem: 'unknown_endpoint' };
    const endpoint = actions.get(action);
    const extra = more.length > (endpoint?.param ? 1 : 0);
    if (!endpoint || extra) return { endpoint: undefined, param: '', problem: 'unknown_method' };
    return { endpoint, param: more[0] ?? '', problem: undefined };
  }
}

/** HEAD answers as GET. */
export function requireVerb(endpoint: Endpoint, method: string): void {
  const verb = method === 'HEAD' ? 'GET' : method;
  if (verb !== endpoint.verb) throw fail('method_not_allowed', { allow: endpoint.verb });
}
