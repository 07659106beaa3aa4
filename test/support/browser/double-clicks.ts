import type { BrowserContext, Page } from 'playwright-core';
import { watchedPage } from './browser.ts';
import { isDrawn, routerOf } from './every-page/app-router.ts';

/** A change that a page sent. */
export interface Posted {
  readonly path: string;
  /** '' where there was none. */
  readonly key: string;
}

export interface DoubleClicks {
  readonly page: Page;
  readonly posted: Posted[];
  /** Clicks that sent more than one request, and requests without a key. */
  readonly faults: string[];
  /** Opens an address and clicks everything on it twice at once: each button, and the form that it opens, filled in. */
  visit(address: string): Promise<void>;
}

/**
 * Clicks through pages without changing anything: requests that change something do not leave the page. They are noted and refused, so
 * a page stays as it is and every button of it can be clicked.
 */
export async function startDoubleClicks(context: BrowserContext, url: string): Promise<DoubleClicks> {
  const { page } = await watchedPage(context);
  await page.addInitScript(HELD_POSTS);
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const posted: Posted[] = [];
  const faults: string[] = [];
  return {
    page,
    posted,
    faults,
    async visit(address) {
      await (await routerOf(page)).evaluate((it, to) => it.navigate(to), address);
      const found = await page
        .evaluate<{ posts: Posted[]; twice: string[] }>(CLICK_EVERYTHING)
        .catch((error: Error) => {
          throw new Error(`${address}: ${error.message}`);
        });
      posted.push(...found.posts);
      faults.push(...found.twice.map((button) => `${address}: ${button} sent more than one request`));
      faults.push(
        ...found.posts.filter(({ key }) => key === '').map(({ path }) => `${address}: ${path} was sent without a key`),
      );
    },
  };
}

/** Setting up a second factor, and a trial of an import, are followed by a second step. */
const HELD_POSTS = `{
  window.posts = [];
  window.reading = 0;
  window.held = 0;
  const real = window.fetch;
  const said = async (status, body) => {
    window.held += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
    window.held -= 1;
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
  window.fetch = (input, init = {}) => {
    const path = new URL(input, location.href).pathname;
    if ((init.method ?? 'GET') !== 'POST' || /brand\\/preview$/.test(path)) {
      window.reading += 1;
      return real(input, init).finally(() => setTimeout(() => { window.reading -= 1; }));
    }
    window.posts.push({ path, key: init.headers?.['idempotency-key'] ?? '' });
    if (path.endsWith('/second-factor/start')) return said(200, { key: 'ABCD', qr: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
    if (/dry-run/.test(String(init.body))) return real(input, init);
    return said(409, { error: { code: 'held', message: 'Held.' } });
  };
}`;

const CLICK_EVERYTHING = `(async () => {
  /** By frames, not by time: a busy machine draws late. */
  const drawn = async () => {
    for (let frames = 0; frames < 3 || window.held > 0; frames++) await new Promise(requestAnimationFrame);
  };
  const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const labelOf = (one) => (one.getAttribute('aria-label') || one.textContent || '').trim();
  /** Rows of a list have the same buttons: one of them is enough. */
  const kindOf = (one) => labelOf(one).replace(/ of .*/, '');
  const isShown = (one) => one.getClientRects().length > 0 && !one.disabled && !one.hasAttribute('data-disabled');
  const SKIPPED = /^(Cancel$|Keep |Close$|Copy|Copied|Show (more|less|all)|Hide|Older|Newest|Previous|Next|Download|Print|Clear|Filter|Search|Apply|Add tier|Remove tier|Back|Toggle|Help|More)/i;
  const buttonsIn = (root) => [...root.querySelectorAll('button')].filter((one) => isShown(one) && !SKIPPED.test(labelOf(one))
    && !['tab', 'switch', 'radio', 'menuitem'].includes(one.getAttribute('role') ?? '') && one.getAttribute('aria-haspopup') === null);
  const dialogs = () => [...document.querySelectorAll('[role=dialog]')].filter((one) => one.getClientRects().length > 0);
  const settled = async () => {
    for (let calm = 0, turns = 0; calm < 3 && turns < 400; turns++) {
      await rest(15);
      const isBusy = !${isDrawn} || window.reading > 0 || document.querySelector('[aria-busy=true]') || !document.querySelector('h1');
      calm = isBusy ? 0 : calm + 1;
    }
  };
  const write = (field, value) => {
    const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : field instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, value);
    for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, { bubbles: true }));
  };
  const valueFor = (field) => {
    const label = labelOf(field.labels?.[0] ?? field) + ' ' + (field.getAttribute('aria-label') ?? '');
    const word = /Type “(.+)” to confirm/.exec(label)?.[1];
    if (word) return word;
    if (/sandbox key/i.test(label)) return 'esk_test_' + '0'.repeat(40);
    if (field.type === 'email' || /email/i.test(label)) return 'someone@example.com';
    if (field.type === 'password') return 'correct horse battery';
    if (field.type === 'url' || /url/i.test(label)) return 'https://93.184.215.14/hook';
    if (field.type === 'date' || /last day|expires/i.test(label)) return '2030-01-01';
    if (/created before|before/i.test(label)) return '2020-01-01';
    if (field.name === 'code') return '123456';
    if (/top-ups from|product|target/i.test(label) && field.value) return field.value;
    if (/duration|by how/i.test(label)) return '2d';
    if (field.inputMode === 'decimal' || field.inputMode === 'numeric' || field.type === 'number') return field.value === '1' ? '2' : '1';
    if (/color|colour/i.test(label)) return '#0b5d7a';
    if (/support link/i.test(label)) return 'https://help.example.com';
    return field.value || 'Something';
  };
  const choose = async (root) => {
    [...root.querySelectorAll('input[type=radio]')].findLast((one) => !one.checked && !one.disabled)?.click();
    for (const field of root.querySelectorAll('select')) {
      const other = [...field.options].findLast(({ value, disabled }) => value !== '' && value !== field.value && !disabled);
      if (other) write(field, other.value);
    }
    await drawn();
  };
  const fill = async (root) => {
    for (const field of root.querySelectorAll('input, textarea')) {
      if (!isShown(field) || field.readOnly || ['checkbox', 'radio', 'file', 'hidden'].includes(field.type)) continue;
      write(field, valueFor(field));
    }
    for (const field of root.querySelectorAll('select:required'))
      if (isShown(field) && field.value === '') write(field, [...field.options].at(-1).value);
    await drawn();
  };
  const twice = [];
  const double = async (button) => {
    const [before, label] = [window.posts.length, labelOf(button)];
    button.click();
    button.click();
    await drawn();
    if (window.posts.length > before + 1) twice.push(label);
    // Its answer opens the next step.
    if (window.posts.length > before && window.posts.at(-1).path.endsWith('/second-factor/start')) await opened();
    return window.posts.length - before;
  };
  const opened = async () => {
    for (let turns = 0; turns < 1000 && dialogs().length === 0; turns++) await rest(15);
  };
  const close = async () => {
    for (let left = 5; dialogs().length > base && left > 0; left--) {
      const top = dialogs().at(-1);
      const button = [...top.querySelectorAll('button')].find((one) => /^(Cancel|Close|Done)/.test(labelOf(one)) || one.className.includes('close'));
      if (button) button.click();
      else top.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      for (let wait = 0; wait < 30 && dialogs().includes(top); wait++) await rest(15);
    }
  };
  const inDialog = async () => {
    const done = new Set();
    for (let round = 0; round < 4; round++) {
      await settled();
      const top = dialogs().at(-1);
      if (!top) return;
      // Once: typing again would discard the preview.
      if (round === 0) await fill(top);
      if (round === 0 && !buttonsIn(top).some((one) => one.type === 'submit')) await choose(top);
      const all = buttonsIn(top).filter((one) => !done.has(labelOf(one)) && !one.className.includes('close'));
      const button = all.find((one) => one.type === 'submit') ?? all.at(-1);
      if (!button) return;
      done.add(labelOf(button));
      const sent = await double(button);
      if (sent > 0 && dialogs().length <= base + 1 && !/second-factor\\/start|import/.test(window.posts.at(-1).path)) return;
    }
  };
  window.posts.length = 0;
  await settled();
  if (/delivery=/.test(location.search)) {
    await opened();
    // The drawer reads the delivery only now.
    await settled();
  }
  const base = dialogs().length;
  const root = () => dialogs()[0] ?? document.querySelector('main') ?? document.body;
  const here = location.href;
  const seen = new Set();
  for (let left = 60; left > 0; left--) {
    const next = buttonsIn(root()).findLast((one) => !seen.has(kindOf(one)) && (one.type !== 'submit' || !one.form));
    if (!next) break;
    seen.add(kindOf(next));
    await double(next);
    if (dialogs().length > base) await inDialog();
    await close();
    if (location.href !== here) break;
  }
  for (const menu of [...root().querySelectorAll('button[aria-haspopup=menu]')].filter(isShown)) {
    menu.click();
    for (let turns = 0; turns < 60 && !document.querySelector('[role=menuitem]'); turns++) await rest(15);
    document.querySelector('[role=menuitem]')?.click();
    await drawn();
    if (dialogs().length > base) await inDialog();
    await close();
  }
  for (const form of root().querySelectorAll('form')) {
    await fill(form);
    const button = [...form.querySelectorAll('button[type=submit]')].find(isShown);
    if (!button || /filter|search|show/i.test(labelOf(button))) continue;
    if (await double(button) > 0) continue;
    await settled();
    const saves = () => buttonsIn(root()).filter((one) => /^Save/.test(labelOf(one)));
    if (labelOf(button) === 'Preview') for (let turns = 0; turns < 200 && saves().length === 0; turns++) await rest(15);
    for (const one of saves()) await double(one);
  }
  return { posts: window.posts.slice(), twice };
})()`;
