import type { Operation } from './described.ts';
import { percent } from './encode.ts';
import type { Shot } from './shot.ts';
import { type Care, type Drawing, hostile } from './values.ts';

export const FORM = 'application/x-www-form-urlencoded';
const METHODS = ['GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const TYPES = ['application/json', 'text/plain', 'multipart/form-data; boundary=x', `${FORM}; charset=utf-16`, '', 'x'];
const MAX_BODY = 64 * 1024;

const without = (shot: Shot, name: string) => shot.headers.filter(([one]) => one !== name);
const withHeader = (shot: Shot, name: string, value: string): Shot => ({
  ...shot,
  headers: [...without(shot, name), [name, value]],
});

/** One thing about the request itself is wrong, beside its fields. */
export function bent(drawing: Drawing, care: Care, shot: Shot, operation: Operation): Shot {
  const { dice } = drawing;
  if (!dice.chance(care === 'near' ? 35 : 60)) return shot;
  const extra = `${percent(dice.of(['colour', 'api_key', '__proto__', 'quantity', 'constructor', 'limit[]', 'x'.repeat(200)]))}=${percent(hostile(drawing))}`;
  const isPanel = shot.target === 'panel';
  switch (dice.below(16)) {
    case 0:
      return { ...shot, method: dice.of(METHODS), isBent: true };
    case 1:
      return withHeader(shot, 'content-type', dice.of(TYPES));
    case 2:
      return isPanel
        ? { ...shot, headers: without(shot, 'cookie'), mustBeRefused: true }
        : { ...shot, headers: without(shot, 'x-api-key'), mustBeRefused: true };
    case 3:
      return isPanel ? shot : { ...withHeader(shot, 'x-api-key', dice.of(BAD_KEYS)), mustBeRefused: true };
    case 4:
      return { ...shot, query: [...shot.query, extra] };
    case 5:
      return operation.verb === 'GET'
        ? { ...shot, body: [extra], headers: [...shot.headers, ['content-type', FORM]] }
        : { ...shot, body: [...(shot.body ?? []), extra] };
    case 6:
      return operation.verb === 'POST' ? { ...shot, body: [dice.of(BODIES)] } : shot;
    case 7:
      return operation.verb === 'POST'
        ? { ...shot, body: [`reference=${'x'.repeat(MAX_BODY - 10 + dice.below(20))}`] }
        : { ...shot, query: [`a=${'x'.repeat(8_180 + dice.below(30))}`] };
    case 8:
      return { ...shot, path: bentPath(drawing, shot.path), isBent: true };
    case 9:
      return operation.verb === 'POST' ? { ...shot, isCut: true } : shot;
    case 10:
      return { ...shot, headers: [...shot.headers, ...dice.of(HEADERS)], isBent: true };
    case 11:
      return operation.verb === 'POST'
        ? withHeader(shot, 'content-encoding', dice.of(['gzip', 'br', 'identity', 'IDENTITY', '']))
        : shot;
    case 12:
      return withHeader(shot, 'accept-encoding', dice.of(['br', 'gzip;q=0', '*;q=0', 'br;q=x', 'identity;q=0']));
    case 13:
      return operation.verb === 'POST' ? chunked(drawing, shot) : shot;
    case 14:
      return withHeader(shot, 'x-sandbox-error', dice.of([...operation.simulated, 'no_such_code', '\xff']));
    default:
      return withHeader(shot, 'if-none-match', dice.of(['*', '"', 'W/"x"', '"a", "b"', 'x'.repeat(3_000), '\xff']));
  }
}

const BAD_KEYS = [
  '',
  ' ',
  'esk_',
  'esk_test_',
  `esk_${'0'.repeat(40)}`,
  `esk_test_${'f'.repeat(40)}`,
  'x'.repeat(5_000),
  '\xff\xfe',
  'esk_live_1',
];
const BODIES = [
  '{"product_id":"x"}',
  '&&&&',
  '=',
  '%',
  '=a&=b',
  'product_id',
  '\0',
  '\xff\xfe\xfd',
  'a=1;b=2',
  `${'a=1&'.repeat(9_000)}`,
  `a${'[a]'.repeat(5_000)}=1`,
];
const HEADERS: readonly (readonly [string, string])[][] = [
  [['host', 'elsewhere.example']],
  [
    ['host', 'a'],
    ['host', 'b'],
  ],
  [['expect', '100-continue']],
  [['expect', 'something']],
  [['connection', 'close']],
  [['upgrade', 'h2c']],
  [['content-length', '-1']],
  [['content-length', '5, 6']],
  [['transfer-encoding', 'gzip']],
  [['x-forwarded-for', "1.2.3.4, ' or 1=1"]],
  [['user-agent', 'x'.repeat(4_000)]],
  [['x-a', 'x'.repeat(20_000)]],
  [['bad header', '1']],
  [['x-nul', 'a\0b']],
];

function bentPath({ dice }: Drawing, path: string): string {
  return dice.of([
    `${path}/`,
    `${path}//`,
    `/${path}`,
    path.toUpperCase(),
    `${path}/more`,
    `${path}/more/and/more`,
    `${path}%2f`,
    `${path}%`,
    `${path}%00`,
    `${path}/..`,
    path.replace('/v3', '/v2'),
    path.replace('/v3', ''),
    path.replace(/.$/, ''),
    `${path};a=1`,
    `${path}#a`,
    `http://elsewhere.example${path}`,
    '*',
    '/',
    '/v3',
    '/v3/',
    '/v3/openapi.json',
    '/v3/__proto__/constructor',
    '/v3/order/toString',
    `/v3/order/detail/${'9'.repeat(400)}`,
    `/v3/order/usage/${'%F0%9F%98%80'.repeat(20)}`,
    `${path}?a=1?b=2`,
    `${path}\xff`,
  ]);
}

/** In pieces, some of which lie about their length. */
function chunked({ dice }: Drawing, shot: Shot): Shot {
  const body = shot.body?.join('&') ?? '';
  const size = dice.of([
    body.length.toString(16),
    `${body.length.toString(16)};x=1`,
    'zz',
    (body.length + 3).toString(16),
    '-1',
    '',
  ]);
  const isRight = size.split(';')[0] === body.length.toString(16) && body !== '';
  return {
    ...shot,
    headers: [
      ...shot.headers,
      ['transfer-encoding', 'chunked'],
      ...(isRight ? [] : [['connection', 'close'] as const]),
    ],
    body: [`${size}\r\n${body}\r\n0\r\n\r\n`],
    ...(!isRight && { isCut: true, isBent: true }),
  };
}
