import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { languages } from '../../../src/domains/messages/texts/texts.ts';
import { type HelpFacts, type Step, symptoms } from '../../../src/domains/travellers/help/decision.ts';
import { saveBrand } from '../../../src/domains/travellers/travellers.ts';
import { DAY, MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, type Ask, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { setReading, sharedOrder } from '../../support/sales/shared-order.ts';
import { catalogKnows } from '../../support/sales/shop.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
const plan = await testPlan(t, { operator: { title: 'Orange' } });
await catalogKnows(t, plan.alias);
const partnerId = await t.partner();
const at = (path: string, ask: Ask = {}): Promise<Answer> => t.ask(path, { host: 'panel', ...ask });
const origin = new URL(t.base.config.panelUrl).origin;

/** Without what differs between any two answers. */
const comparable = ({ status, headers: { date: _date, ...headers }, text }: Answer) => ({ status, headers, text });
/** An eSIM with a fresh reading, so that no supplier is asked: it was not used yet, and nothing is known of the phone. */
async function own(of = plan) {
  const order = await sharedOrder(t, { partnerId, plan: of });
  await setReading(t, live, order.id, {
    state: 'not_active',
    totalMb: 1024,
    usedMb: 0,
    expiresAt: new Date(t.clock.now() + 9 * DAY),
  });
  return order;
}

const formIn = (text: string): string => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
const newForm = async (path: string) => formIn((await at(`${path}/help/ask?shows=no_internet`)).text);

function send(path: string, fields: Record<string, string>, headers: Record<string, string> = { origin: 'null' }) {
  return at(`${path}/help/ask?lang=en&shows=no_internet`, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}
const requests = (orderId: bigint, world = live) =>
  world.db.query<{ id: bigint; form: string; step: string; facts: HelpFacts }>(
    sql`select id, form, step, facts from help_requests where order_id = ${orderId} order by id`,
  );
const setProfile = (
  orderId: bigint,
  profile: { state?: string; country?: string; suspended?: boolean },
  world = live,
) =>
  world.db.run(sql`
    insert into esim_profiles (order_id, partner_id, iccid, state, country, seen_at, suspended_at, updated_at)
    select id, partner_id, iccid, ${profile.state ?? null}, ${profile.country ?? null}, now(),
      ${profile.suspended ? new Date(t.clock.now()) : null}, now() from orders where id = ${orderId}
    on conflict (order_id) do update set state = excluded.state, country = excluded.country,
      suspended_at = excluded.suspended_at`);

test('the page of an eSIM leads to the question, and each choice to an answer, in every language', async () => {
  const { path } = await own();
  for (const [code, { help, dir }] of Object.entries(languages)) {
    assert.ok((await at(`${path}?lang=${code}`)).text.includes(`href="${path}/help?lang=${code}"`), code);
    const question = await at(`${path}/help?lang=${code}`);
    assert.equal(question.status, 200);
    assert.match(question.text, new RegExp(`<html lang="[^"]+" dir="${dir}">`));
    for (const shows of symptoms) {
      assert.ok(question.text.includes(`href="${path}/help?lang=${code}&#38;shows=${shows}"`), `${code} ${shows}`);
      const answer = await at(`${path}/help?lang=${code}&shows=${shows}`);
      const titles = Object.values(help.steps).map(({ title }) => `<h1>${title}</h1>`);
      assert.equal(titles.filter((title) => answer.text.includes(title)).length, 1, `${code} ${shows}`);
      assert.ok(!/\{\w+\}/.test(answer.text.replaceAll(/<style>.*?<\/style>/gs, '')), `${code} ${shows}`);
    }
  }
});

test('the pages are small, need no script, and can load nothing and post nowhere else', async () => {
  const { path } = await own();
  for (const below of ['', '?shows=no_signal', '?shows=not_listed', '/ask?shows=other', '/sent']) {
    const { text, headers, status } = await at(`${path}/help${below}`);
    assert.equal(status, 200, below);
    assert.ok(Buffer.byteLength(text) < 12_000, `${below}: ${Buffer.byteLength(text)}`);
    assert.ok(!text.includes('<script'), below);
    const policy = String(headers['content-security-policy']).split('; ');
    for (const rule of ["default-src 'none'", "script-src 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(rule), `${below} ${rule}`);
    assert.equal(headers['cache-control'], 'private, no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
  }
});

/** What the page says for a symptom, by its title in English. */
async function stepAt(
  path: string,
  shows: string,
  userAgent = 'iPhone',
): Promise<{ step: Step | undefined; text: string }> {
  const { text } = await at(`${path}/help?lang=en&shows=${shows}`, { headers: { 'user-agent': userAgent } });
  const found = Object.entries(languages.en.help.steps).find(([, { title }]) => text.includes(`<h1>${title}</h1>`));
  return { step: found?.[0] as Step | undefined, text };
}

suite('the answer follows from what is known', () => {
  test('profile, country, suspension', async () => {
    const { id, path } = await own();
    assert.equal((await stepAt(path, 'no_signal')).step, 'find_network', 'nothing is known');
    await setProfile(id, { state: 'released' });
    assert.equal((await stepAt(path, 'no_signal')).step, 'install');
    await setProfile(id, { state: 'disabled' });
    const off = await stepAt(path, 'no_internet');
    assert.equal(off.step, 'switch_on');
    assert.ok(
      off.text.includes('Settings › Cellular') && !off.text.includes('SIM manager'),
      'the settings of this phone',
    );
    assert.ok((await stepAt(path, 'no_internet', 'Firefox')).text.includes('SIM manager'), 'of both on a computer');
    await setProfile(id, { state: 'enabled', country: 'FR' });
    assert.equal((await stepAt(path, 'no_internet')).step, 'turn_on_data');
    await setProfile(id, { state: 'enabled', country: 'US' });
    const away = await stepAt(path, 'no_internet');
    assert.equal(away.step, 'not_covered');
    assert.ok(away.text.includes('France') && !away.text.includes('United States'), 'the country stays a secret');
    await setProfile(id, { state: 'deleted' });
    assert.equal((await stepAt(path, 'cannot_install')).step, 'removed');
    await setProfile(id, { state: 'enabled', suspended: true });
    assert.equal((await stepAt(path, 'slow')).step, 'paused');
  });

  test('data and days', async () => {
    const { id, path } = await own();
    const ends = new Date(t.clock.now() + 3 * DAY);
    await setReading(t, live, id, { state: 'active', totalMb: 1024, usedMb: 100, expiresAt: ends });
    assert.equal((await stepAt(path, 'no_internet')).step, 'turn_on_data');
    await setReading(t, live, id, { state: 'depleted', totalMb: 1024, usedMb: 1024, expiresAt: ends });
    assert.equal((await stepAt(path, 'no_internet')).step, 'add_data');
    await setReading(t, live, id, {
      state: 'expired',
      totalMb: 1024,
      usedMb: 10,
      expiresAt: new Date(t.clock.now() - DAY),
    });
    assert.equal((await stepAt(path, 'no_internet')).step, 'plan_ended');
  });

  test('an APN that has to be entered is shown', async () => {
    const apn = await testPlan(t, { operator: { title: 'Bouygues', apn_type: 'manual', apn_value: 'travel.example' } });
    await catalogKnows(t, apn.alias);
    const { path } = await own(apn);
    const { step, text } = await stepAt(path, 'no_internet');
    assert.equal(step, 'set_apn');
    assert.ok(text.includes('<code dir="ltr">travel.example</code>'));
  });

  test('a supplier whose calls all fail is an outage', async () => {
    const { path } = await own();
    const minute = new Date(Math.floor(t.clock.now() / 60_000) * 60_000);
    const { supplier } = await live.db.one<{ supplier: string }>(
      sql`select supplier from orders order by id desc limit 1`,
    );
    await t.base.db.run(sql`delete from shared.supplier_figures`);
    await t.base.db.run(sql`
      insert into shared.supplier_figures (supplier, call, outcome, within_ms, minute, calls, total_ms, last_at)
      values (${supplier}, 'usage', 'unavailable', 5000, ${minute}, 5, 25000, ${minute})`);
    assert.equal((await stepAt(path, 'no_signal')).step, 'outage');
    t.clock.advance(20 * MINUTE);
    assert.equal((await stepAt(path, 'no_signal')).step, 'find_network', 'an old outage is over');
  });
});

test('asking records the request with its facts and sends the traveller on; the form sent twice asks once', async () => {
  const { id, path } = await own();
  await setProfile(id, { state: 'enabled', country: 'FR' });
  const form = await newForm(path);
  const sent = await send(path, { form, email: 'kim@traveller.example', message: 'No bars at the airport' });
  assert.deepEqual([sent.status, sent.headers.location], [303, `${path}/help/sent?lang=en`]);
  const both = await Promise.all([1, 2, 3].map(() => send(path, { form, email: '', message: 'again' })));
  assert.deepEqual(
    both.map(({ status }) => status),
    [303, 303, 303],
  );
  const [row, ...others] = await requests(id);
  assert.equal(others.length, 0);
  assert.equal(row?.step, 'turn_on_data');
  assert.deepEqual([row?.facts.shows, row?.facts.profile, row?.facts.isCovered], ['no_internet', 'enabled', true]);
  const kept = await live.help.find(row?.id ?? 0n);
  assert.deepEqual(kept.written, { email: 'kim@traveller.example', message: 'No bars at the airport' });
  assert.ok((await at(`${path}/help/sent?lang=en`)).text.includes('Your request has been sent'));
});

test('an eSIM asks three times a day, exactly, and again on the next', async () => {
  const { id, path } = await own();
  const forms = await Promise.all(Array.from({ length: 8 }, () => newForm(path)));
  const answers = await Promise.all(forms.map((form) => send(path, { form })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [303, 303, 303, 429, 429, 429, 429, 429]);
  assert.equal((await requests(id)).length, 3);
  assert.ok(answers.find(({ status }) => status === 429)?.text.includes(languages.en.help.limit.title));
  const other = await own();
  assert.equal((await send(other.path, { form: await newForm(other.path) })).status, 303, 'another eSIM has its own');
  t.clock.advance(DAY);
  assert.equal((await send(path, { form: await newForm(path) })).status, 303);
});

test('sandbox: the day is that of the test clock, and a reset forgets the requests', async () => {
  const partner = await t.partner();
  const key = await t.key(partner, 'sandbox');
  const { id, path } = await sharedOrder(t, { partnerId: partner, plan, world: sandbox });
  for (let n = 0; n < 3; n += 1) assert.equal((await send(path, { form: await newForm(path) })).status, 303);
  assert.equal((await send(path, { form: await newForm(path) })).status, 429);
  assert.equal((await t.post('/sandbox/clock', { advance: '86400' }, { key })).status, 200);
  assert.equal((await send(path, { form: await newForm(path) })).status, 303);
  assert.equal((await requests(id, sandbox)).length, 4);
  assert.equal((await t.post('/account/sandboxReset', {}, { key })).status, 200);
  assert.equal((await requests(id, sandbox)).length, 0);
});

suite('attacks', () => {
  test('a token that does not work gets the one answer of all such links, whatever is asked and by whom', async () => {
    const { path, token, id } = await own();
    const other = await own();
    const missing = comparable(await at('/e/nothing'));
    const forged = [`/e/${token.slice(0, -1)}`, `/e/${token.replace(String(id), String(other.id))}`, '/e/nothing'];
    for (const wrong of forged)
      for (const below of ['/help', '/help?shows=no_signal', '/help/ask', '/help/sent'])
        assert.deepEqual(comparable(await at(wrong + below)), missing, below);
    const form = await newForm(path);
    for (const wrong of forged)
      for (const headers of [{ origin: 'null' }, { origin }, { origin: 'https://evil.example' }])
        assert.deepEqual(comparable(await send(wrong, { form }, headers)), missing);
    const replace = await at(`${forged[0]}/help/replace`, { method: 'POST', body: `form=${form}` });
    assert.deepEqual(comparable(replace), missing);
    assert.deepEqual(await requests(id), []);
  });

  test('another site, another eSIM’s form and a form that is not ours change nothing', async () => {
    const { path, id } = await own();
    const form = await newForm(path);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'null', 'sec-fetch-site': 'same-site' },
      { origin: `${origin}.evil.example` },
    ])
      assert.equal(
        (await send(path, { form }, headers as Record<string, string>)).status,
        403,
        JSON.stringify(headers),
      );
    const foreign = await newForm((await own()).path);
    for (const wrong of [foreign, '', 'x', `${form.slice(0, -1)}${form.at(-1) === '0' ? '1' : '0'}`]) {
      const again = await send(path, { form: wrong, message: 'typed' });
      assert.equal(again.status, 400);
      assert.ok(again.text.includes(languages.en.help.sendAgain) && again.text.includes('>typed</textarea>'));
    }
    assert.deepEqual(await requests(id), []);
    for (const headers of [{ origin: 'null' }, { origin }, { origin, 'sec-fetch-site': 'same-origin' }, {}])
      assert.ok([303].includes((await send(path, { form }, headers as Record<string, string>)).status));
  });

  test('markup stays text, invisible characters go, and long or broken input is refused', async () => {
    const { path, id } = await own();
    const form = await newForm(path);
    const markup = '</textarea><script>alert(1)</script>"\'';
    const shown = await send(path, { form, email: 'x', message: markup });
    assert.equal(shown.status, 400);
    assert.ok(!shown.text.includes('<script') && shown.text.includes('&#60;script&#62;'));
    assert.ok(
      (await send(path, { form, email: `"><img src=x>`, message: '' })).text.includes('value="&#34;&#62;&#60;img'),
    );
    for (const email of [
      'a@b.example\nBcc: c@d.example',
      'a@b.example,c@d.example',
      'a b@c.example',
      `${'a'.repeat(300)}@b.example`,
    ])
      assert.equal((await send(path, { form, email })).status, 400, email.slice(0, 40));
    assert.equal((await send(path, { form, message: 'x'.repeat(1001) })).status, 400);
    assert.equal((await send(path, { form, message: 'x'.repeat(20_000) })).status, 400, 'more than any form sends');
    assert.equal((await send(path, { form, message: 'a\0b' })).status, 400);
    assert.deepEqual(await requests(id), []);
    assert.equal((await send(path, { form, message: `a\r\nb\u0007\u202ec ${markup}` })).status, 303);
    const [row] = await requests(id);
    assert.equal((await live.help.find(row?.id ?? 0n)).written.message, `a\nb  c ${markup}`);
  });

  test('other methods are not allowed', async () => {
    const { path } = await own();
    for (const [below, allow] of [
      ['/help', 'GET, HEAD'],
      ['/help/ask', 'GET, HEAD, POST'],
      ['/help/sent', 'GET, HEAD'],
      ['/help/replace', 'POST'],
    ] as const) {
      const { status, headers } = await at(path + below, { method: 'PUT' });
      assert.deepEqual([status, headers.allow], [405, allow], below);
    }
  });

  test('no page says more about the eSIM than its own page does', async () => {
    const { path, id } = await own();
    await setProfile(id, { state: 'enabled', country: 'US' });
    await live.db.run(sql`update esim_profiles set brand = 'Fairphone', model = 'FP-77' where order_id = ${id}`);
    const { supplier, iccid } = await live.db.one<{ supplier: string; iccid: string }>(
      sql`select supplier, iccid from orders where id = ${id}`,
    );
    for (const shows of symptoms)
      for (const below of ['', '/ask']) {
        const { text } = await at(`${path}/help${below}?lang=en&shows=${shows}`);
        for (const secret of ['Fairphone', 'FP-77', 'United States', supplier, iccid, 'LPA:'])
          assert.ok(!text.includes(secret), `${shows} ${secret}`);
      }
  });
});

suite('a new eSIM on the spot', () => {
  const brand = { displayName: '', color: null, supportUrl: '', refillUrl: '', logo: null };
  const allow = (partner: number, allowsReplacement: boolean) =>
    t.base.db.tx((tx) => saveBrand(tx, partner, { ...brand, allowsReplacement }));
  const asking = (path: string) => at(`${path}/help/ask?lang=en&shows=cannot_install`);
  const replace = (path: string, form: string, headers: Record<string, string> = { origin: 'null' }) =>
    at(`${path}/help/replace?lang=en&shows=cannot_install`, {
      method: 'POST',
      body: new URLSearchParams({ form }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  const replacements = (orderId: bigint) =>
    live.db.query(sql`select status from esim_replacements where old_order_id = ${orderId}`);
  async function unused(partner: number) {
    const order = await sharedOrder(t, { partnerId: partner, plan });
    await setReading(t, live, order.id, {
      state: 'not_active',
      totalMb: 1024,
      usedMb: 0,
      expiresAt: new Date(t.clock.now() + 9 * DAY),
    });
    return order;
  }

  test('is offered and given only where the partner allows it', async () => {
    const partner = await t.partner();
    const { path, id } = await unused(partner);
    const page = (await asking(path)).text;
    assert.ok(!page.includes('/help/replace'));
    assert.equal((await replace(path, formIn(page))).status, 409);
    await allow(partner, true);
    assert.ok((await asking(path)).text.includes('/help/replace'));
    await allow(partner, false);
    assert.equal((await replace(path, formIn(page))).status, 409);
    assert.deepEqual(await replacements(id), []);
  });

  test('is given once, within the operator’s budget, and the link then shows it', async () => {
    const partner = await t.partner();
    await allow(partner, true);
    await run(t.operator(), `partner set ${partner} --replacements 100`);
    const { path, id } = await unused(partner);
    const { iccid } = await live.db.one<{ iccid: string }>(sql`select iccid from orders where id = ${id}`);
    const form = formIn((await asking(path)).text);
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null', 'sec-fetch-site': 'cross-site' }])
      assert.equal((await replace(path, form, headers as Record<string, string>)).status, 403);
    assert.equal((await replace(path, 'x')).status, 400);
    assert.deepEqual(await replacements(id), []);
    const both = await Promise.all([replace(path, form), replace(path, form)]);
    for (const { status, text } of both)
      assert.ok(status === 200 || text.includes(languages.en.help.notReplaced.title), text);
    assert.deepEqual(await replacements(id), [{ status: 'replaced' }]);
    // Requests that arrive together share a read of the page, which serves for a second more.
    const shown = await eventually('the page shows the new eSIM', async () => {
      const { text } = await at(path);
      return text.includes(iccid) ? undefined : text;
    });
    const [{ iccid: fresh }] = (await live.db.query<{ iccid: string }>(
      sql`select iccid from orders where partner_id = ${partner} order by id desc limit 1`,
    )) as [{ iccid: string }];
    assert.ok(shown.includes(fresh));
  });

  test('waits for the operator beyond the budget', async () => {
    const partner = await t.partner();
    await allow(partner, true);
    const { path, id } = await unused(partner);
    const answer = await replace(path, formIn((await asking(path)).text));
    assert.ok(answer.text.includes(languages.en.help.replaceRequested.title), answer.text);
    assert.deepEqual(await replacements(id), [{ status: 'requested' }]);
  });

  test('is not given for an eSIM that was used, or that was seen outside its countries', async () => {
    const partner = await t.partner();
    await allow(partner, true);
    const away = await unused(partner);
    const form = formIn((await asking(away.path)).text);
    await setProfile(away.id, { state: 'enabled', country: 'US' });
    const used = await unused(partner);
    const usedForm = formIn((await asking(used.path)).text);
    await setReading(t, live, used.id, {
      state: 'active',
      totalMb: 1024,
      usedMb: 5,
      expiresAt: new Date(t.clock.now() + DAY),
    });
    for (const [{ path, id }, value] of [
      [away, form],
      [used, usedForm],
    ] as const) {
      assert.ok(!(await asking(path)).text.includes('/help/replace'));
      assert.equal((await replace(path, value)).status, 409);
      assert.deepEqual(await replacements(id), []);
    }
  });
});
