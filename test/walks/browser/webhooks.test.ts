import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createKey, noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { record } from '../../support/program/app.ts';

test('webhooks in the panel', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  const { page, server, hook, complaints } = panel;
  const { call } = await createKey(panel);
  const make = ['webhook', 'create', '--partner', '1', '--mode', 'sandbox', '--url', hook.url, '--json'];
  const { json: made } = await panel.operator(...make);
  record('secrets', `${made.secret}\n`);
  const drawer = page.getByRole('dialog', { name: /^Delivery / });
  const dialog = page.getByRole('dialog', { name: 'Send deliveries again?' });
  const attempt = (number: number) => drawer.locator('summary', { hasText: `Attempt ${number}` });
  const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
  const log = async () => {
    await page.goto(`${server.urls.panel}/sandbox/webhooks/${made.subscription_id}`);
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  };

  await t.test('a delivery shows its attempt, headers and reply, and its body formatted or as signed', async () => {
    hook.answer = (_request, response) => response.writeHead(200, { 'x-mine': 'yes' }).end('{"ok":true}');
    await call('/webhook/test', {});
    const [request] = await hook.got(1);
    await log();
    await page.getByRole('cell', { name: 'Delivered' }).waitFor();
    await rows.last().getByRole('link').click();
    await attempt(1).waitFor();
    const blocks = drawer.locator('pre');
    await blocks.filter({ hasText: request?.headers['x-signature'] as string }).waitFor();
    await blocks.filter({ hasText: 'x-mine: yes' }).waitFor();
    await blocks.filter({ hasText: '{\n  "ok": true\n}' }).waitFor();
    assert.deepEqual(JSON.parse((await blocks.first().textContent()) ?? ''), JSON.parse(request?.body ?? ''));
    await drawer.getByText('As sent').first().click();
    assert.equal(await blocks.first().textContent(), request?.body);
  });

  await t.test('a delivered one is sent again, and the open drawer shows the attempt', async () => {
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await attempt(2).waitFor();
    assert.equal(hook.received.length, 2);
    assert.equal(hook.received[0]?.body, hook.received[1]?.body);
    await page.keyboard.press('Escape');
  });

  await t.test(
    'a failure says when the next attempt is, on the card as in the log, and can be retried now',
    async () => {
      hook.answer = 500;
      await call('/webhook/test', {});
      const failed = rows.filter({ hasText: 'Failed, will retry' });
      await failed.locator('time').first().waitFor();
      assert.equal(
        await page.locator('dl > div', { hasText: 'Consecutive failures' }).locator('dd').textContent(),
        '1',
      );
      hook.answer = 200;
      await failed.getByRole('link').click();
      await drawer.getByText('1 made, up to 4 more').waitFor();
      await drawer.getByRole('button', { name: 'Retry now' }).click();
      await attempt(2).waitFor();
      await drawer.getByText('Delivered', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await rows.filter({ hasText: 'Delivered' }).nth(1).waitFor();
    },
  );

  await t.test('what the filters match is counted and sent again with one click', async () => {
    await page.getByLabel('Status').selectOption('sent');
    await page.waitForURL(/status=sent/);
    await page.getByLabel('Queued').selectOption('hour');
    await page.getByLabel('From (UTC)').waitFor();
    await page.getByRole('button', { name: 'Send these again' }).click();
    await dialog.getByText('We’ll send 2 events to your server again.').waitFor();
    const before = hook.received.length;
    await dialog.getByRole('button', { name: 'Send 2 deliveries again' }).click();
    await page.getByText('2 deliveries queued to be sent again.').waitFor();
    await hook.got(before + 2);
    await page.getByLabel('Event', { exact: true }).selectOption('order.paid');
    await page.getByText('No deliveries found').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await rows.nth(2).waitFor();
  });

  await t.test('held deliveries promise no retry', async () => {
    hook.answer = 500;
    await call('/webhook/test', {});
    await rows.filter({ hasText: 'Failed, will retry' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const held = rows.filter({ hasText: 'Failed, on hold' });
    await held.getByRole('link').click();
    await drawer.getByText('When the webhook is active again').waitFor();
    assert.equal(await drawer.getByRole('button', { name: 'Retry now' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  await t.test('a URL that is refused is refused in words', async () => {
    await page.goto(`${server.urls.panel}/sandbox/webhooks`);
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('URL').fill('http://example.com/hook');
    await form.getByRole('button', { name: 'Add webhook' }).click();
    await form.getByText('The URL must start with https://.').waitFor();
    assert.equal(await page.getByText('not_https').count(), 0);
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  await t.test('the functions that verify signatures are the files the tests run', async () => {
    const shown = page.getByRole('region', { name: 'Verify signatures' }).locator('pre');
    for (const [language, ending] of Object.entries({
      TypeScript: 'ts',
      Python: 'py',
      PHP: 'php',
      Go: 'go',
      Ruby: 'rb',
    })) {
      await page.getByRole('region', { name: 'Verify signatures' }).getByText(language, { exact: true }).click();
      const file = await readFile(new URL(`../../../examples/verify/verify.${ending}`, import.meta.url), 'utf8');
      await eventually(`${language} is shown`, async () => (await shown.textContent()) === file);
    }
  });

  // A refused request is also logged by the browser itself.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('400 (Bad Request)')),
    [],
  );
});
