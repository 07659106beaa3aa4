import { bent, FORM } from './bends.ts';
import type { Cast } from './cast.ts';
import { type Field, type Operation, operations } from './described.ts';
import { pair, percent } from './encode.ts';
import type { Shot, Target } from './shot.ts';
import { type Care, type Drawing, text } from './values.ts';

/** Weights: purchases and what follows from them are drawn most often. */
const WEIGHT: Readonly<Record<string, number>> = {
  '/purchase/buy': 6,
  '/purchase/refill': 3,
  '/purchase/batch': 2,
  '/order/refund': 2,
  '/order/cancel': 2,
  // They resolve and connect, or delete everything there is to find.
  '/webhook/probe': 0.3,
  '/webhook/test': 0.5,
  '/account/sandboxReset': 0.05,
  '/webhook/delete': 0.5,
  '/catalog/export': 0.05,
};
const drawn = operations.flatMap((one) => Array.from({ length: Math.ceil((WEIGHT[one.path] ?? 1) * 20) }, () => one));

/** A request to one of the described operations: as described, almost, or not at all. */
export function drawApi(drawing: Drawing, cast: Cast): Shot {
  const { dice } = drawing;
  const operation = dice.of(drawn);
  const care: Care = dice.chance(45) ? 'valid' : dice.chance(55) ? 'near' : 'hostile';
  const target: Target = dice.of(['sandbox', 'sandbox', 'sandbox', 'live', 'live', 'live', 'legacy', 'panel']);
  const shot = target === 'panel' ? asMember(drawing, cast, operation) : asCaller(drawing, cast, operation, target);
  const filled = withFields(drawing, care, shot, operation);
  return care === 'valid' ? filled : bent(drawing, care, filled, operation);
}

function asCaller({ dice }: Drawing, { callers }: Cast, operation: Operation, target: Target): Shot {
  // Most callers are allowed to make the call.
  const isOpen = dice.chance(88);
  const isAnywhere = target === 'legacy' || dice.chance(2);
  const fitting = callers.filter(
    (one) => (isAnywhere || one.world === target) && (!isOpen || !(one.isRefused || one.isRestricted)),
  );
  const { key, world, isRefused } = dice.of(fitting);
  const isForeign = target !== 'legacy' && world !== target;
  return {
    target,
    method: operation.verb,
    path: `${target === 'legacy' ? '' : '/v3'}${operation.path}`,
    headers: [['x-api-key', key]],
    query: [],
    body: undefined,
    operation,
    ...((isRefused || isForeign) && { mustBeRefused: true }),
  };
}

/** The same operations for a signed-in member, where a change has a key of its own in a header. */
function asMember({ dice, number }: Drawing, { members }: Cast, operation: Operation): Shot {
  return {
    target: 'panel',
    method: operation.verb,
    path: `/api/${dice.of(['sandbox', 'sandbox', 'live'])}/v3${operation.path}`,
    headers: [['cookie', dice.of(members)], ...(operation.verb === 'POST' ? changeHeaders(number) : [])],
    query: [],
    body: undefined,
    operation,
  };
}

/** What our own pages send with a change; the origin is written when it is known. */
export const changeHeaders = (number: number): [string, string][] => [
  ['sec-fetch-site', 'same-origin'],
  ['idempotency-key', `fuzz-${number}`],
];

function withFields(drawing: Drawing, care: Care, shot: Shot, operation: Operation): Shot {
  const { dice, known } = drawing;
  const sent = operation.fields.filter(({ required }) => dice.chance(required ? (care === 'valid' ? 100 : 95) : 30));
  // Of a request that is almost right, one field is wrong.
  const wrong = care === 'near' ? dice.of(sent.length > 0 ? sent : [undefined]) : undefined;
  const careOf = (one: Field): Care =>
    care === 'near' ? (one === wrong ? 'near' : 'valid') : dice.chance(60) ? care : 'valid';
  let { path } = shot;
  const query: string[] = [];
  const body: string[] = [];
  let repeats: string | undefined;
  for (const one of sent) {
    const own = careOf(one);
    const value = fieldText(drawing, own, operation, one);
    if (one.in === 'path') path = path.replace(`{${one.name}}`, percent(value));
    else (one.in === 'query' ? query : body).push(...pair(dice, own, one.name, value));
    if (one.name === 'idempotency_key' && own === 'valid') {
      known.add('idempotency', value);
      repeats = value;
    }
  }
  if (operation.simulated.length > 0 && dice.chance(4))
    (operation.verb === 'GET' ? query : body).push(
      `sandbox_error=${dice.of([...operation.simulated, 'no_such_code'])}`,
    );
  const etag = operation.answers.has(304) && dice.chance(15) ? known.one(dice, 'etag') : undefined;
  const headers: [string, string][] = [
    ...(shot.headers as [string, string][]),
    ...(operation.verb === 'POST' ? [['content-type', FORM] as [string, string]] : []),
    ...(etag ? [['if-none-match', etag] as [string, string]] : []),
    ...(dice.chance(5) ? [['accept-encoding', 'identity'] as [string, string]] : []),
  ];
  const isForm = operation.verb === 'POST';
  return { ...shot, path, query, headers, body: isForm ? body : undefined, ...(repeats !== undefined && { repeats }) };
}

/** What kind of thing an `id` names depends on its operation. */
function fieldText(drawing: Drawing, care: Care, { path }: Operation, { name, schema }: Field): string {
  const { dice, known } = drawing;
  if (name === 'id' && care === 'valid') {
    const kind = path.startsWith('/order') ? 'order' : path.startsWith('/catalog') ? 'product' : undefined;
    const of =
      kind ?? (path.startsWith('/purchase') ? 'batch' : path.endsWith('/deliveries') ? 'delivery' : 'subscription');
    return known.one(dice, of) ?? String(1 + dice.below(50));
  }
  return text(drawing, care, name, schema);
}
