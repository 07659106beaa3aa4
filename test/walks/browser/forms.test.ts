import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { newWindow, PHONE } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { eventually } from '../../support/eventually.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

const focused = 'document.activeElement.getAttribute("name")';

test('forms', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage({ config: { signUp: 'open' } });
  const { demo, url, smtp } = stage;

  await t.test('what the server refuses stands at its field, in words, and goes with the next key', async () => {
    const page = await (await stage.enter(demo.partnerId)).newPage();
    await page.goto(`${url}/security`);
    const form = page.locator('form').filter({ hasText: 'Current password' });
    const current = form.locator('input[name=current]');
    await current.fill('not the password');
    await form.locator('input[name=password]').fill('a long enough password');
    await form.getByRole('button', { name: 'Change password' }).click();
    const said = form.getByRole('alert');
    await said.filter({ hasText: 'The current password is wrong.' }).waitFor();
    assert.equal(await page.evaluate(focused), 'current');
    assert.equal(await current.getAttribute('aria-invalid'), 'true');
    assert.equal(await form.getByText('wrong_password').count(), 0);
    assert.deepEqual(await layoutProblems(page), []);
    await current.press('x');
    await said.waitFor({ state: 'detached' });
    assert.equal(await current.getAttribute('aria-invalid'), null);
  });

  await t.test(
    'what is missing stands at each field, the first in view even on a phone; a country is chosen',
    async () => {
      const wanted = { name: 'Island Hopper', email: 'ana@example.com', isLive: false };
      const partnerId = await stage.t.base.db.tx((tx) => createPartner(tx, wanted, new Date()));
      const context = await stage.enter(partnerId);
      const page = await context.newPage();
      await page.setViewportSize(PHONE);
      await page.goto(`${url}/go-live`);
      const apply = page.getByRole('button', { name: 'Apply', exact: true });
      await page.locator('input[name=company]').fill('');
      await apply.click();
      await page.getByText('This is required.').nth(5).waitFor();
      assert.equal(await page.evaluate(focused), 'company');
      assert.deepEqual(await layoutProblems(page), []);
      await page.getByLabel('Country').selectOption('Austria');
      await page.getByText('This is required.').nth(5).waitFor({ state: 'detached' });
      assert.equal(await page.getByText('This is required.').count(), 5);
    },
  );

  await t.test('a link that was mailed can be asked for again, or for another address', async () => {
    const page = await (await newWindow(stage.browser)).newPage();
    await page.goto(`${url}/sign-up`);
    await page.getByLabel('Your name').fill('Ana Silva');
    await page.getByLabel('Company').fill('Island Hopper');
    await page.getByLabel('Email').fill('ana@exmaple.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    // It takes longer than a double click, which is one request.
    assert.deepEqual(await layoutProblems(page), []);
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByRole('status').filter({ hasText: 'We have asked for it again.' }).waitFor();
    assert.deepEqual(await layoutProblems(page), []);
    await page.getByRole('button', { name: 'Use another address' }).click();
    assert.equal(await page.getByLabel('Your name').inputValue(), 'Ana Silva');
    await page.getByLabel('Email').fill('ana@example.com');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('a link to ana@example.com').waitFor();
    await eventually('both addresses got their mails', async () =>
      smtp.to('ana@example.com').length === 1 && smtp.to('ana@exmaple.com').length === 2 ? true : undefined,
    );
    await page.context().close();
  });
});
