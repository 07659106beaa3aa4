import { readdirSync, readFileSync } from 'node:fs';
import { version } from '../../platform/settings/version.ts';
import { html } from '../site/pages/html.ts';
import { withContents } from './contents.ts';
import type { PublicPage, Site } from './document.ts';
import { block } from './prose.ts';
import type { Description } from './reference/description.ts';

const root = new URL('../../../', import.meta.url);

/** The SDK as `npm pack ./sdk` leaves it in the program's folder; undefined: it was not packed, and is not offered. */
export function packedSdk(): { readonly name: string; readonly bytes: Buffer } | undefined {
  const name = readdirSync(root)
    .filter((file) => /^wayfare-sdk-[\w.-]+\.tgz$/.test(file))
    .sort()
    .at(-1);
  return name === undefined ? undefined : { name, bytes: readFileSync(new URL(name, root)) };
}

/** For Postman, with this installation's sandbox in it. */
export const collectionAt = ({ sandbox }: Site): string =>
  readFileSync(new URL('collection/wayfare.postman_collection.json', root), 'utf8').replaceAll(
    'http://localhost:4010/v3',
    sandbox,
  );

export function toolsPage(site: Site, api: Description, sdkPath: string | undefined): PublicPage {
  const body = html`<h1>SDK and tools</h1><div class="text">
<h2 id="typescript">TypeScript</h2>
<p>The SDK types every endpoint, makes purchases safe to repeat, retries what may be retried, and verifies webhooks. It has no dependencies and runs on Node 20 and later, Deno, Bun and workers.</p>
${
  sdkPath === undefined
    ? html`<p>It is not offered for download here. Ask us for the package, then install the file:</p>${block(`npm install ./wayfare-sdk-${version}.tgz`)}`
    : block(`npm install ${site.panel}${sdkPath}`)
}
${block(`import { Wayfare } from '@wayfare/sdk';

const api = new Wayfare({ key: process.env.WAYFARE_KEY, baseUrl: '${site.sandbox}' });
const { products } = await api.catalog.products({ country: 'FR', limit: 1 });
const bought = await api.purchase.buy({ product_id: products[0]?.id ?? '' });
console.log(bought.delivery, bought.order_id);`)}
<p>The package also has commands for the time while you write your program. <code>listen</code> forwards sandbox events to your machine, and <code>trigger</code> does what sends an event of your choice:</p>
${block(`export WAYFARE_KEY=esk_test_… WAYFARE_URL=${site.sandbox}
npx wayfare-dev listen --forward http://localhost:3000/hook
npx wayfare-dev trigger order.refunded`)}
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
    description: `The TypeScript SDK, the OpenAPI description, a Postman collection and tools for agents, for the ${site.settings.name} API.`,
    body: withContents(api, '/docs/tools', body),
  };
}
