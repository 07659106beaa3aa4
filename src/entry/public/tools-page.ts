import { readdirSync, readFileSync } from 'node:fs';
import { type Html, html } from '../../platform/contract/html.ts';
import { version } from '../../platform/settings/version.ts';
import { type PublicPage, type Site, withContents } from './document.ts';
import { block } from './markdown.ts';
import type { Description } from './reference/description.ts';

const root = new URL('../../../', import.meta.url);

const packages = {
  typescript: { name: /^wayfare-sdk-\d[\w.-]*\.tgz$/, type: 'application/gzip' },
  python: { name: /^wayfare_sdk-[\w.-]+\.whl$/, type: 'application/zip' },
  php: { name: /^wayfare-sdk-php-[\w.-]+\.zip$/, type: 'application/zip' },
};

export type PackedSdks = ReturnType<typeof packedSdks>;

/** The SDKs as `npm run sdk` leaves them in the program's folder. One that was not packed is not offered. */
export function packedSdks() {
  const files = readdirSync(root).sort();
  return Object.fromEntries(
    Object.entries(packages).flatMap(([language, { name, type }]) => {
      const file = files.findLast((one) => name.test(one));
      return file === undefined ? [] : [[language, { name: file, type, bytes: readFileSync(new URL(file, root)) }]];
    }),
  );
}

/** For Postman, with this installation's sandbox in it. */
export const collectionAt = ({ sandbox, settings }: Site): string =>
  readFileSync(new URL('collection/wayfare.postman_collection.json', root), 'utf8')
    .replace(/(?<="name": ")Wayfare/, () => JSON.stringify(settings.name).slice(1, -1))
    .replaceAll('http://localhost:4010/v3', sandbox);

/** How to install a package that is here, or one that has to be asked for. */
const installed = (
  site: Site,
  sdk: PackedSdks[string] | undefined,
  name: string,
  install: (file: string) => string,
): Html =>
  sdk === undefined
    ? html`<p>It is not offered for download here. Ask us for the package, then install the file:</p>${block(install(`./${name}`))}`
    : block(install(`${site.panel}/sdk/${sdk.name}`));

/** Composer takes a package from a folder. */
const installPhp = (file: string): string =>
  [
    ...(file.startsWith('./') ? [] : [`curl -sSfO ${file}`]),
    `unzip -q ${file.split('/').at(-1)} -d wayfare-sdk`,
    'composer config repositories.wayfare path ./wayfare-sdk',
    'composer require wayfare/sdk',
  ].join('\n');

export function toolsPage(site: Site, api: Description, sdks: PackedSdks): PublicPage {
  const body = html`<h1>SDK and tools</h1><div class="text">
<h2 id="typescript">TypeScript</h2>
<p>The SDK types every endpoint, makes purchases safe to repeat, retries what may be retried, and verifies webhooks. It has no dependencies and runs on Node 20 and later, Deno, Bun and workers.</p>
${installed(site, sdks.typescript, `wayfare-sdk-${version}.tgz`, (file) => `npm install ${file}`)}
${block(`import { Wayfare } from '@wayfare/sdk';

const api = new Wayfare({ key: process.env.WAYFARE_KEY, baseUrl: '${site.sandbox}' });
const { products } = await api.catalog.products({ country: 'FR', limit: 1 });
const bought = await api.purchase.buy({ product_id: products[0]?.id ?? '' });
console.log(bought.delivery, bought.order_id);`)}
<p>The package also has commands for the time while you write your program. <code>listen</code> forwards sandbox events to your machine, and <code>trigger</code> does what sends an event of your choice:</p>
${block(`export WAYFARE_KEY=esk_test_… WAYFARE_URL=${site.sandbox}
npx wayfare-dev listen --forward http://localhost:3000/hook
npx wayfare-dev trigger order.refunded`)}
<h2 id="python">Python</h2>
<p>The same for Python 3.9 and later, typed, with an exception class for each error code. It needs nothing but the standard library.</p>
${installed(site, sdks.python, `wayfare_sdk-${version.replace(/-dev$/, '.dev0')}-py3-none-any.whl`, (file) => `pip install ${file}`)}
${block(`import os
from wayfare import Wayfare

api = Wayfare(os.environ["WAYFARE_KEY"], base_url="${site.sandbox}")
plan = api.catalog.products(country="FR", limit=1)["products"][0]
bought = api.purchase.buy(product_id=plan["id"])
print(bought["delivery"], bought["order_id"])`)}
<h2 id="php">PHP</h2>
<p>The same for PHP 8.1 and later with ext-curl and ext-json. Without Composer, require <code>wayfare-sdk/autoload.php</code>.</p>
${installed(site, sdks.php, `wayfare-sdk-php-${version}.zip`, installPhp)}
${block(`$api = new Wayfare\\Wayfare(getenv('WAYFARE_KEY') ?: null, '${site.sandbox}');
$plan = $api->catalog->products(['country' => 'FR', 'limit' => 1])['products'][0];
$bought = $api->purchase->buy(['product_id' => $plan['id']]);
echo $bought['delivery'], ' ', $bought['order_id'];`)}
<h2 id="openapi">OpenAPI</h2>
<p><a href="/openapi.json">openapi.json</a> describes every endpoint, field, error and event in OpenAPI 3.1, with recorded examples. Generators make clients of it for any language.</p>
<h2 id="postman">Postman</h2>
<p><a href="/collection.json">collection.json</a> is a collection for Postman and tools that read its format. Set <code>key</code> to a sandbox key and run it from top to bottom.</p>
<h2 id="agents">Agents and language models</h2>
<p><a href="/llms.txt">llms.txt</a> says in plain text what is here, and the guides are there as Markdown. Agents that speak the Model Context Protocol connect to <code>${site.panel}/mcp</code> with a sandbox key. Buying needs a limit on what the key may spend.</p>
</div>`;
  return {
    path: '/docs/tools',
    title: 'SDK and tools',
    description: `SDKs for TypeScript, Python and PHP, the OpenAPI description, a Postman collection and tools for agents, for the ${site.settings.name} API.`,
    body: withContents(api, '/docs/tools', body),
  };
}
