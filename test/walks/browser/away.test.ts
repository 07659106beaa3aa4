import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newWindow } from '../../support/browser/browser.ts';
import { layoutProblems } from '../../support/browser/layout-problems.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

test('while the server is away', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage();
  const { demo, url } = stage;
  const leave = (page: Page) => page.context().setOffline(true);
  const comeBack = (page: Page) => page.context().setOffline(false);
  const band = (page: Page) => page.getByRole('alert').filter({ hasText: /can’t be reached since \d\d:\d\d/ });
  const frozen = (page: Page) => page.locator('[data-frozen]').count();

  await t.test('a page keeps its navigation and its data, which looks frozen, and recovers by itself', async () => {
    const context = await stage.enter(demo.partnerId);
    const page = await context.newPage();
    await page.goto(`${url}/sandbox`);
    const balance = page.getByText('$1,000.00').first();
    await balance.waitFor();
    assert.equal(await frozen(page), 0);
    await leave(page);
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await band(page).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await balance.waitFor();
    assert.equal(await frozen(page), 1);
    assert.deepEqual(await layoutProblems(page), []);
    await comeBack(page);
    await band(page).waitFor({ state: 'detached' });
    assert.equal(await frozen(page), 0);
    await balance.waitFor();
  });

  await t.test('a page whose code was not loaded yet keeps its place and appears when the server is back', async () => {
    const context = await stage.enter(demo.partnerId);
    const page = await context.newPage();
    await page.goto(`${url}/sandbox`);
    await page.getByText('$1,000.00').first().waitFor();
    await leave(page);
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await page.getByRole('heading', { name: 'Not loaded yet' }).waitFor();
    await band(page).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).waitFor();
    assert.deepEqual(await layoutProblems(page), []);
    await comeBack(page);
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    assert.equal(await band(page).count(), 0);
  });

  await t.test('a page whose code is gone, because the server was updated, is loaded again once', async () => {
    const context = await stage.enter(demo.partnerId);
    const page = await context.newPage();
    await page.goto(`${url}/sandbox`);
    await page.getByText('$1,000.00').first().waitFor();
    let isGone = true;
    await page.route(/\/Keys-[^/]*\.js/, (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()));
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name: 'API keys', exact: true }).click();
    await loaded;
    // Still gone: it is not loaded again and again.
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).waitFor();
    isGone = false;
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  });

  await t.test('the console does the same', async () => {
    const context = await stage.operate('admin');
    const page = await context.newPage();
    await page.goto(`${url}/operator`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await leave(page);
    await page.getByRole('link', { name: 'Partners', exact: true }).click();
    await page.getByRole('heading', { name: 'Not loaded yet' }).waitFor();
    await comeBack(page);
    await page.getByRole('heading', { name: 'Partners', level: 1 }).waitFor();
  });

  await t.test('a sign-in page says it, too', async () => {
    const page = await (await newWindow(stage.browser)).newPage();
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('Email').fill('ana@example.com');
    await page.locator('input[name=password]').fill('not this one');
    await leave(page);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await band(page).waitFor();
    await comeBack(page);
    await band(page).waitFor({ state: 'detached' });
    await page.context().close();
  });
});
