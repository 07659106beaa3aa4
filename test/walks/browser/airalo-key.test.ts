import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { record } from '../../support/program/app.ts';

const SIZES = [{ width: 1440, height: 900 }, PHONE];

test('the dialog for a new key offers Airalo credentials, which are shown once', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel({ AIRALO_DOOR: 'on' });
  const { page, complaints } = panel;
  const dialog = page.getByRole('dialog');
  const look = async () => {
    for (const size of SIZES)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        complaints.push(...(await layoutProblems(page)));
      }
    await page.setViewportSize({ width: 1440, height: 900 });
  };

  await t.test('beside what it may do', async () => {
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New key', exact: true }).click();
    await dialog.getByLabel('Name').fill('Old shop');
    await dialog.getByRole('switch', { name: 'With Airalo credentials' }).check({ force: true });
    await look();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Client secret', { exact: true }).waitFor();
    const [key = '', clientId = '', secret = ''] = await dialog.locator('pre').allTextContents();
    for (const one of [key, secret]) record('secrets', `${one}\n`);
    assert.match(key, /^esk_test_[0-9a-f]{40}$/);
    assert.match(clientId, /^[0-9a-f]{32}$/);
    assert.match(secret, /^wfa_[0-9a-f]{40}$/);
    await look();
    await dialog.getByRole('button', { name: 'I’ve saved it' }).click();
    const row = page.getByRole('row', { name: /Old shop/ });
    await row.getByText(clientId).waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    await look();
  });

  await t.test('and no page has complained', () => assert.deepEqual(complaints, []));
});
