import { doorEndpoints } from '../../src/entry/api/airalo/door.ts';
import type { Shop } from '../../src/entry/api/airalo/endpoint.ts';
import { FORM } from './bends.ts';
import type { Cast } from './cast.ts';
import { pair, percent } from './encode.ts';
import { BROKEN_JSON, latin } from './json-values.ts';
import type { Shot } from './shot.ts';
import { type Care, type Drawing, hostile, text } from './values.ts';

const endpoints = doorEndpoints({} as Shop);

/** What their fields are in our own words, where there is one; the others have values of their own. */
const OURS: Readonly<Record<string, string>> = {
  package_id: 'product_id',
  description: 'reference',
  'filter.description': 'reference',
  'filter.iccid': 'iccid',
  webhook_url: 'url',
  'filter.country': 'country',
};
const OWN: Readonly<Record<string, readonly string[]>> = {
  quantity: ['1', '2', '3', '50'],
  type: ['sim', 'async_orders', 'webhook_low_data', 'data_75'],
  include: ['topup', 'sims,status', 'order,order.status,share', 'user'],
  limit: ['1', '20', '100'],
  page: ['1', '2'],
  'filter.type': ['local', 'global'],
  'filter.order_status': ['completed', 'failed', 'refunded', 'partially_refunded'],
  'filter.created_at': ['2026-01-01 - 2027-01-01'],
  'filter.code': ['20260101-1', '1'],
  event: ['low_data_notification', 'credit_limit_notification', 'async_order_notification'],
  sandbox_scenario: ['success', 'failed'],
};
/** Drawn rarely: an order with most of these is refused. */
const REFUSED = ['to_email', 'sharing_option', 'copy_address', 'brand_settings_name', 'accept_language'];

const BAD_TOKENS = [
  '',
  'Bearer',
  'Bearer x',
  `Bearer wfb_${'0'.repeat(32)}.zzzzzz.${'0'.repeat(64)}`,
  'Basic eDp4',
  'Bearer \xff',
];

/** A request to the door for Airalo's clients: as their documents say, almost, or not at all. */
export function drawDoor(drawing: Drawing, { clients }: Cast): Shot {
  const { dice, known } = drawing;
  const endpoint = dice.of(endpoints);
  const { world, token } = dice.of(clients);
  const isForeign = dice.chance(3);
  const target = isForeign ? (world === 'live' ? 'sandbox' : 'live') : world;
  const isStranger = dice.chance(4);
  const care: Care = dice.chance(55) ? 'valid' : dice.chance(55) ? 'near' : 'hostile';
  const wordFor = (name: string): string => {
    const own = OWN[name];
    return own && care === 'valid' ? dice.of(own) : text(drawing, care, OURS[name] ?? name, { type: 'string' });
  };
  const named = (kind: 'iccid' | 'order') => percent((care === 'valid' && known.one(dice, kind)) || wordFor(kind));
  const path = endpoint.path.replace('{iccid}', () => named('iccid')).replace('{id}', () => named('order'));
  const names = Object.keys(endpoint.fields).filter((name) => dice.chance(REFUSED.includes(name) ? 5 : 60));
  const fields = names.map((name) => [name.replace(/\.(\w+)$/, '[$1]'), wordFor(name)] as const);
  const isPost = endpoint.verb === 'POST';
  const [type, body] = isPost ? bodyOf(drawing, care, fields) : [undefined, undefined];
  return {
    target,
    method: dice.chance(3) ? dice.of(['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS']) : endpoint.verb,
    path: `/v3${path}`,
    headers: [
      ['authorization', isStranger ? dice.of(BAD_TOKENS) : `Bearer ${token}`],
      ...(type === undefined ? [] : [['content-type', type] as const]),
      ...(isPost && dice.chance(5) ? [['airalo-signature', percent(hostile(drawing))] as const] : []),
    ],
    query: isPost ? [] : fields.flatMap(([name, value]) => pair(dice, care, name, value)),
    body,
    door: true,
    ...((isStranger || isForeign) && { mustBeRefused: true }),
    ...(care === 'hostile' && isPost && dice.chance(5) && { isCut: true }),
  };
}

/** JSON with loose types, a form, or the parts of one. */
function bodyOf(
  drawing: Drawing,
  care: Care,
  fields: readonly (readonly [string, string])[],
): readonly [string, string[]] {
  const { dice } = drawing;
  if (care === 'hostile' && dice.chance(30)) return ['application/json', [latin(dice.of(BROKEN_JSON))]];
  switch (dice.below(3)) {
    case 0:
      return [FORM, fields.flatMap(([name, value]) => pair(dice, care, name, value))];
    case 1: {
      const parts = fields.map(
        ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      );
      const end = care === 'valid' || dice.chance(80) ? '--x--\r\n' : '';
      return ['multipart/form-data; boundary=x', [latin(`${parts.join('')}${end}`)]];
    }
    default: {
      const loose = (value: string): unknown =>
        care === 'hostile'
          ? dice.of([value, [value], { value }, null, true, 1e21])
          : /^\d{1,9}$/.test(value)
            ? Number(value)
            : value;
      return [
        'application/json',
        [latin(JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, loose(value)]))))],
      ];
    }
  }
}
