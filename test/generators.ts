import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openapiAt } from '../src/entry/api/gates/description.ts';

/**
 * `npm run generators`: makes clients of the API's description with @hey-api/openapi-ts and orval, and compiles programs that use them under
 * `nodenext`. Installing the two takes longer than the tests may, so this is run by hand after a change to the description. What
 * openapi-typescript makes of it is in the tests.
 */
const tools = fileURLToPath(new URL('generators/', import.meta.url));
const run = promisify(execFile);

/** What somebody with a generated client wants to write. */
const programs: Readonly<Record<string, string>> = {
  'use-hey-api.ts': `
import { catalogProducts, purchaseBuy, orderDetail, type Product, type InsufficientBalanceError } from './hey-api/index.js';
import { client } from './hey-api/client.gen.js';
client.setConfig({ baseUrl: 'http://localhost:4010/v3', auth: 'esk_test_…' });
const { data } = await catalogProducts({ query: { country: 'FR', max_day: 7 } });
const plan: Product | undefined = data?.products[0];
const bought = await purchaseBuy({ body: { product_id: plan?.id ?? '', idempotency_key: 'booking-1' } });
if (bought.data?.delivery === 'delivered') {
  const detail = await orderDetail({ path: { id: bought.data.order_id } });
  console.log(detail.data?.esim.qrcode_url);
}
const missing = (error: InsufficientBalanceError): number => error.required - error.balance;
if (bought.error?.error === 'insufficient_balance') console.log(missing(bought.error));
`,
  'use-orval.ts': `
import { catalogProducts, purchaseBuy, orderDetail, type Product } from './orval/wayfare.js';
const found = await catalogProducts({ country: 'FR', max_day: 7 }, { headers: { 'X-API-Key': 'esk_test_…' } });
const plan: Product | undefined = found.status === 200 ? found.data.products[0] : undefined;
const bought = await purchaseBuy({ product_id: plan?.id ?? '', idempotency_key: 'booking-1' });
if (bought.status === 200 && bought.data.delivery === 'delivered') {
  const detail = await orderDetail(bought.data.order_id);
  if (detail.status === 200) console.log(detail.data.esim.qrcode_url);
}
if (bought.status === 402 && bought.data.error === 'insufficient_balance') console.log(bought.data.required);
`,
};

if (!existsSync(`${tools}node_modules/.package-lock.json`))
  await run('npm', ['ci', '--ignore-scripts'], { cwd: tools });

// Beside the tools, so that what is generated finds what it imports.
await using folder = await workFolder();
const at = (name: string) => join(folder.path, name);
const tool = (name: string) => `${tools}node_modules/${name}`;
const servers = [{ environment: 'sandbox' as const, url: 'http://localhost:4010/v3' }];
await writeFile(at('openapi.json'), openapiAt({ servers, website: 'https://example.com/', siteName: 'Wayfare' }));
await writeFile(at('package.json'), '{ "type": "module" }');
await writeFile(at('tsconfig.json'), JSON.stringify({ compilerOptions: options(), include: ['**/*.ts'] }));
for (const [name, text] of Object.entries(programs)) await writeFile(at(name), text);

await writeFile(
  at('hey-api.mjs'),
  `import { createClient } from '@hey-api/openapi-ts';
await createClient({
  input: 'openapi.json',
  output: { path: 'hey-api', module: { extension: '.js' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent' },
});`,
);
await run(process.execPath, ['hey-api.mjs'], { cwd: folder.path });
await mkdir(at('orval'));
await writeFile(
  at('orval.config.mjs'),
  `const output = { target: 'orval/wayfare.ts', client: 'fetch', mode: 'single', tsconfig: './tsconfig.json' };
export default { wayfare: { input: { target: 'openapi.json' }, output } };`,
);
await run(tool('.bin/orval'), ['--config', 'orval.config.mjs'], { cwd: folder.path });
try {
  await run(process.execPath, [tool('typescript/bin/tsc'), '-p', '.'], { cwd: folder.path });
  console.log('@hey-api/openapi-ts and orval: generated, and compiled under nodenext');
} catch (error) {
  console.error((error as { stdout?: string }).stdout);
  process.exitCode = 1;
}

function options() {
  const modules = { module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] };
  return { ...modules, strict: true, noEmit: true, skipLibCheck: true };
}

async function workFolder() {
  const path = await mkdtemp(join(tools, 'made-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
