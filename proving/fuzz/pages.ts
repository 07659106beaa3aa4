import { percent } from './encode.ts';
import { BROKEN_JSON, latin } from './json-values.ts';
import type { Shot } from './shot.ts';
import { type Drawing, hostile } from './values.ts';

/** Pages and addresses outside the JSON API. */
export function drawPage(drawing: Drawing): Shot {
  const { dice, known } = drawing;
  const odd = () =>
    percent(
      dice.chance(50) ? (known.one(dice, dice.of(['secret', 'link', 'page', 'payment'])) ?? 'x') : hostile(drawing),
    ).slice(0, 3_000);
  const page = known.one(dice, 'page');
  const shared = page ? new URL(page).pathname : '/e/x';
  const [method, path] = dice.of<readonly [string, string]>([
    ['GET', '/'],
    ['GET', '/docs'],
    ['GET', '/docs/api'],
    ['GET', `/docs/search?q=${odd()}`],
    ['GET', '/status'],
    ['GET', '/healthz'],
    ['GET', '/openapi.json'],
    ['GET', '/llms.txt'],
    ['GET', `/guides/${odd()}`],
    ['GET', `/flags/${odd()}`],
    ['GET', `/qr/${odd()}`],
    ['GET', `/e/${odd()}`],
    ['GET', shared],
    ['GET', `${shared}?lang=${odd()}`],
    ['GET', `/pay/${odd()}`],
    ['POST', `/pay/${odd()}`],
    ['POST', '/webhooks/stripe'],
    ['POST', `/webhooks/suppliers/${odd()}`],
    ['POST', '/mcp'],
    ['GET', `/${odd()}`],
    ['GET', `/operator/${odd()}`],
    ['POST', `/api/${odd()}`],
  ]);
  const body =
    method === 'POST'
      ? [
          latin(
            dice.of([...BROKEN_JSON, 'do=pay', 'do=decline', 'do=%', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}']),
          ),
        ]
      : undefined;
  return {
    target: 'panel',
    method: dice.chance(95) ? method : 'HEAD',
    path,
    headers: body ? [['content-type', dice.of(['application/json', 'application/x-www-form-urlencoded'])]] : [],
    query: [],
    body,
  };
}
