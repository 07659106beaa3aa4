import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { collectionText } from '../collection/generate.ts';
import { endpoints } from '../src/api/endpoints.ts';
import { batchOf, stockedApp } from './support/catalog.ts';
import { run } from './support/operator.ts';
import { outside, outsideMissing } from './support/outside.ts';
import { freePort } from './support/ports.ts';
import { receiver } from './support/receiver.ts';
import { tourPlans } from './support/tour.ts';

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

suite('its own runner', { skip: missing ?? false }, () => {
  test('every endpoint, from top to bottom, answers in the sandbox as documented', async () => {
    const port = await freePort();
    const base = `http://localhost:${port}/v3`;
    await using hook = await receiver();
    await using t = await stockedApp([batchOf(tourPlans())], {
      config: { listenPorts: [port], sandboxBaseUrl: new URL(base), webhookTrustedHosts: [hook.host] },
    });
    const partnerId = await t.partner();
    const key = await t.key(partnerId, 'sandbox');
    const url = `http://${hook.host}/hook`;
    await run(t.operator(), `webhook create --partner ${partnerId} --mode sandbox --url ${url}`);

    const newman = outside('newman');
    const executions = await new Promise<Execution[]>((resolve, reject) => {
      const variables = { base_url: base, key, webhook_url: url };
      const envVar = Object.entries(variables).map(([name, value]) => ({ key: name, value }));
      newman.run({ collection: JSON.parse(text), envVar, reporters: [] }, (error: Error | null, summary: unknown) =>
        error ? reject(error) : resolve((summary as { run: { executions: Execution[] } }).run.executions),
      );
    });
    assert.equal(executions.length, endpoints.length);
    const wrong = executions.flatMap(({ item, response, assertions = [] }) =>
      assertions
        .filter(({ error }) => error)
        .map(({ error }) => `${item.name}: ${error?.message}, ${response?.code} ${response?.text().slice(0, 200)}`),
    );
    assert.deepEqual(wrong, []);
    assert.ok(executions.every(({ assertions = [] }) => assertions.length >= 2));
  });
});
