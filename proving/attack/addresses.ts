import type { TSchema } from 'typebox';
import { Create } from 'typebox/value';
import type { Services } from '../../src/entry/api/endpoint.ts';
import { endpoints } from '../../src/entry/api/endpoints.ts';
import { consoleActions } from '../../src/entry/console/api.ts';
import { panelActions } from '../../src/entry/panel/api.ts';
import type { Answer } from '../../test/support/program/app.ts';
import type { Browser } from '../../test/support/program/panel.ts';
import { consoleInputs, leftOut, memberInputs, type Tried } from './inputs.ts';
import type { Things } from './things.ts';

/** One request a signed-in person can make, with real ids and with input that takes effect if it is allowed. */
export interface Address {
  readonly name: string;
  readonly verb: 'GET' | 'POST';
  ask(by: Browser): Promise<Answer>;
}

interface Declared {
  readonly verb: 'GET' | 'POST';
  readonly path: string;
  readonly body?: TSchema | undefined;
}

/** Every address of the console; a change is tried with each of its inputs. */
export const consoleAddresses = (things: Things): Address[] =>
  consoleActions(things.t.base, {} as Services)
    .filter(({ signedIn }) => signedIn)
    .flatMap((action) => requests(action as Declared, things, consoleInputs(things)));

/** Every address of the panel for members, the API's endpoints among them. */
export const panelAddresses = (things: Things): Address[] => [
  ...panelActions(things.t.base, {} as Services)
    .filter(({ signedIn }) => signedIn)
    .flatMap((action) => requests(action as Declared, things, memberInputs(things))),
  ...requests({ verb: 'POST', path: '/api/sandbox/try' }, things, memberInputs(things)),
  ...requests({ verb: 'POST', path: '/api/{mode}/purchases' }, things, memberInputs(things)),
  ...endpoints.flatMap(({ path, verb, param }) => apiRequests({ path, verb, hasParam: param !== undefined }, things)),
];

function requests(
  { verb, path, body }: Declared,
  things: Things,
  inputs: Readonly<Record<string, readonly Tried[]>>,
): Address[] {
  const name = `${verb} ${path}`;
  if (verb === 'POST' && leftOut.some((pattern) => pattern.test(path))) return [];
  if (verb === 'GET')
    return filled(path, things).map((at) => ({
      name,
      verb,
      ask: (by) => by.get(at + (queriesOf(things)[path] ?? '')),
    }));
  const tried = inputs[path.replace('/operator/api/run/', '')] ?? (body === undefined ? [{}] : undefined);
  if (tried === undefined) throw new Error(`say in inputs.ts what ${name} is tried with`);
  return filled(path, things).flatMap((at) =>
    tried.map((one) => ({
      name,
      verb,
      async ask(by: Browser) {
        const given = typeof one === 'function' ? await one() : one;
        const isCommand = path.startsWith('/operator/api/run/');
        return by.post(at, isCommand ? { input: given } : { ...(body && (Create(body) as object)), ...given });
      },
    })),
  );
}

/** Query parameters that an address needs to show anything. */
const queriesOf = ({ demo, ids }: Things): Readonly<Record<string, string>> => ({
  '/api/{mode}/search': `?q=${ids.live.iccid}`,
  '/operator/api/search': `?q=${ids.live.iccid}`,
  '/operator/api/webhooks/dead': '?mode=sandbox',
  '/operator/api/prices/check': `?partner=${demo.partnerId}&product=${demo.productId}`,
  '/operator/api/prices/preview': '?cap=50',
  '/operator/api/money/movements.csv': `?month=${thisMonth()}`,
  '/api/{mode}/invoice-lines.csv': `?month=${thisMonth()}`,
  '/operator/api/money/settlements.csv': `?month=${thisMonth()}`,
  '/purchase/quote': `?product_id=${demo.productId}`,
});

const thisMonth = (): string => new Date().toISOString().slice(0, 7);

/** A path for each world, with ids of the attacked partner. */
function filled(path: string, { ids }: Things): string[] {
  const modes = path.includes('{mode}') ? (['live', 'sandbox'] as const) : (['live'] as const);
  return modes.map((mode) =>
    path
      .replace('{mode}', mode)
      .replace('{month}', thisMonth())
      .replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, kind: string) => {
        const id = ids[mode][kind];
        if (id === undefined) throw new Error(`say in things.ts which id ${kind} have in ${path}`);
        return `${kind}/${id}`;
      }),
  );
}

function apiRequests(
  { path, verb, hasParam }: { path: string; verb: 'GET' | 'POST'; hasParam: boolean },
  things: Things,
): Address[] {
  const { ids, forms } = things;
  return (['live', 'sandbox'] as const).flatMap((mode): Address[] => {
    const kind = /^\/esim|usage$/.test(path)
      ? 'iccid'
      : path.startsWith('/order')
        ? 'orders'
        : path.startsWith('/invoice')
          ? 'invoices'
          : 'product';
    const param = hasParam ? `/${ids[mode][kind]}` : '';
    const name = `${verb} /api/${mode}/v3${path}`;
    if (leftOut.some((pattern) => pattern.test(path))) return [];
    if (verb === 'POST') return [{ name, verb, ask: (by) => by.v3(mode, path, forms[mode][path] ?? {}) }];
    const query = queriesOf(things)[path];
    const more = path === '/webhook/deliveries' ? ['', `?id=${ids[mode].deliveries}`] : [query ?? ''];
    return more.map((one) => ({ name, verb, ask: (by: Browser) => by.v3(mode, path + param + one) }));
  });
}
