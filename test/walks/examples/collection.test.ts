import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, suite, test } from 'node:test';
import { collectionText } from '../../../collection/generate.ts';
import { patternOf } from '../../../src/entry/api/endpoint.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import { keyPermissions } from '../../../src/platform/contract/key-terms.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { tourPlans } from '../../support/browser/tour.ts';
import { outside, outsideMissing } from '../../support/debian/outside.ts';
import { run } from '../../support/program/operator.ts';
import { freePort } from '../../support/program/ports.ts';
import { batchOf, type StockedApp, stockedApp } from '../../support/sales/catalog.ts';
import { invoicing } from '../../support/sales/invoices.ts';
import { type Receiver, receiver } from '../../support/servers/receiver.ts';

const text = await collectionText();
const missing = await outsideMissing();

test('the collection is current: npm run collection', async () => {
  assert.equal(await readFile('collection/wayfare.postman_collection.json', 'utf8'), text);
});

interface Execution {
  readonly item: { readonly name: string };
  readonly response?: { readonly code: number; text(): string };
  readonly assertions?: readonly { readonly assertion: string; readonly error?: { readonly message: string } }[];
}

suite('its own runner, from top to bottom', { skip: missing ?? false }, () => {
  const opened = new AsyncDisposableStack();
  let t: StockedApp;
  let hook: Receiver;
  let base = '';

  before(async () => {
    const port = await freePort();
    base = `http://localhost:${port}/v3`;
    hook = opened.use(await receiver());
    t = opened.use(
      await stockedApp([batchOf(tourPlans())], {
        config: { listenPorts: [port], sandboxBaseUrl: new URL(base), webhookTrustedHosts: [hook.host], invoicing },
      }),
    );
  });
  after(() => opened.disposeAsync());

  /** The endpoints that were called. Each has to answer as its request says it does. */
  async function called(variables: Record<string, string>): Promise<string[]> {
    const envVar = Object.entries(variables).map(([key, value]) => ({ key, value }));
    const executions = await new Promise<Execution[]>((resolve, reject) => {
      outside('newman').run(
        { collection: JSON.parse(text), envVar, reporters: [] },
        (error: Error | null, summary: unknown) =>
          error ? reject(error) : resolve((summary as { run: { executions: Execution[] } }).run.executions),
      );
    });
    const sent = executions.filter(({ response }) => response);
    const wrong = sent.flatMap(({ item, response, assertions = [] }) =>
      assertions
        .filter(({ error }) => error)
        .map(({ error }) => `${item.name}: ${error?.message}, ${response?.code} ${response?.text().slice(0, 200)}`),
    );
    assert.deepEqual(wrong, []);
    assert.ok(sent.every(({ assertions = [] }) => assertions.length >= 2));
    return sent.map(({ item }) => endpoints.find((one) => patternOf(one) === `/${item.name}`)?.path as string);
  }

  test('with a receiver and a subscription every endpoint answers in the sandbox as documented', async () => {
    const partnerId = await t.partner();
    const key = await t.key(partnerId, 'sandbox', { permissions: keyPermissions });
    const url = `http://${hook.host}/hook`;
    await run(t.operator(), `webhook create --partner ${partnerId} --mode sandbox --url ${url}`);
    await t.post(
      '/purchase/buy',
      { product_id: (await t.get('/catalog/products?country=JP', { key })).body.products[0].id },
      { key },
    );
    await t.post('/sandbox/clock', { advance: String(35 * 86_400) }, { key });
    const invoice_number = (await t.get('/invoice/list', { key })).body.invoices[0].number;
    const paths = await called({
      base_url: base,
      key,
      webhook_url: url,
      new_webhook_url: `${url}/new`,
      invoice_number,
    });
    assert.deepEqual(paths.sort(), endpoints.map(({ path }) => path as string).sort());
  });

  test('with nothing but a key it runs as well, without what needs a receiver or an invoice, or may change webhooks', async () => {
    const paths = await called({ base_url: base, key: await t.key(await t.partner(), 'sandbox') });
    const missed = endpoints.map(({ path }) => path as string).filter((path) => !paths.includes(path));
    const managing = ['create', 'delete', 'pause', 'probe', 'resume', 'rotate', 'test', 'update'];
    assert.deepEqual(missed.sort(), [
      ...['detail', 'pdf', 'xml'].map((name) => `/invoice/${name}`),
      '/sandbox/invoice',
      ...managing.map((name) => `/webhook/${name}`),
    ]);
  });

  test('each address it has by default is one that a new installation answers', () => {
    const { variable } = JSON.parse(text) as { variable: { key: string; value: string }[] };
    const addresses = variable.filter(({ value }) => /:\/\//.test(value));
    assert.deepEqual(addresses, [{ key: 'base_url', value: String(readConfig({}).sandboxBaseUrl) }]);
  });
});
