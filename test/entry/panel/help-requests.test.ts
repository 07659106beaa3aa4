import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { languages } from '../../../src/domains/messages/texts/texts.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { browser, signedIn, signedInAs } from '../../support/program/panel.ts';
import { testPlan } from '../../support/sales/paid-order.ts';
import { askForHelp, sharedOrder } from '../../support/sales/shared-order.ts';
import { pausedSubscription } from '../../support/sales/shop.ts';
import { smtpServer } from '../../support/servers/smtp.ts';

const smtp = await smtpServer();
after(() => smtp[Symbol.asyncDispose]());
const t = await testApp({ config: { mail: smtp.settings } });
after(() => t[Symbol.asyncDispose]());
const { live, sandbox } = t.base.worlds;
const plan = await testPlan(t);
const partnerId = await t.partner();
const ana = await signedIn(t, partnerId, 'ana@partner.example');
const stranger = await signedIn(t, await t.partner(), 'eve@elsewhere.example');
const asked = async (of: Parameters<typeof askForHelp>[3] = {}, world = live) =>
  String(await askForHelp(t, world, (await sharedOrder(t, { partnerId, plan, world })).id, of));

test('the inbox lists what travellers asked, newest first, with what was known', async () => {
  const [first, second] = [await asked({ message: 'one' }), await asked({ message: 'two', shows: 'slow', lang: 'de' })];
  const { requests, has_more } = (await ana.get('/api/live/help-requests')).body;
  assert.deepEqual([requests[0].id, requests[1].id, has_more], [second, first, false]);
  const { shows, step, language, message, email, state, can_answer, facts } = requests[0];
  assert.deepEqual([shows, language, message, email, state, can_answer], ['slow', 'Deutsch', 'two', '', 'open', false]);
  assert.deepEqual([typeof step, facts.used, facts.data_left, facts.ended], ['string', false, true, false]);
  assert.deepEqual((await ana.get(`/api/live/help-requests?before=${second}`)).body.requests[0].id, first);
  const unanswered = async (who = ana) => (await who.get('/api/live/overview')).body.help;
  assert.equal((await unanswered()).requests, 2);
  await ana.post(`/api/live/help-requests/${first}/close`);
  assert.deepEqual([(await unanswered()).requests, await unanswered(stranger)], [1, null]);
  const open = (await ana.get('/api/live/help-requests?status=open')).body.requests.map(
    (one: { id: string }) => one.id,
  );
  assert.ok(open.includes(second) && !open.includes(first));
  assert.equal((await ana.get('/api/live/help-requests?status=lost')).status, 400);
  assert.deepEqual((await ana.get('/api/sandbox/help-requests')).body.requests, [], 'each world has its own');
});

test('an answer is mailed in the traveller’s language and the partner’s name, and what was typed is text in it', async () => {
  await ana.post('/api/brand', { display_name: 'Alpine eSIM', color: '', support_url: 'mailto:help@alpine.example' });
  for (const [lang, { help, mail }] of Object.entries(languages)) {
    const email = `${lang}@traveller.example`;
    const id = await asked({ email, lang });
    const text = 'Turn on <b>roaming</b>.\r\nBcc: eve@elsewhere.example\n\nThen restart\u0007.';
    const { status, body } = await ana.post(`/api/live/help-requests/${id}/answer`, { text });
    assert.deepEqual([status, body.request.state, body.request.can_answer], [200, 'answered', true]);
    const letter = await eventually(`the mail in ${lang}`, async () => smtp.to(email)[0]);
    assert.equal(letter.headers.subject, help.mail.subjectOf.replace('{name}', 'Alpine eSIM'));
    assert.match(letter.headers.from ?? '', /^"?Alpine eSIM"? <post@wayfare\.test>$/);
    assert.match(letter.html ?? '', /Turn on &#60;b&#62;roaming&#60;\/b&#62;\./);
    for (const part of ['Turn on <b>roaming</b>.', 'Bcc: eve@elsewhere.example', 'Then restart .', '/e/wft_live-'])
      assert.ok(letter.text.includes(part), `${lang} ${part}`);
    assert.ok(
      letter.text.replaceAll(/\s+/g, ' ').includes(mail.help.replace('{address}', 'help@alpine.example')),
      lang,
    );
  }
  assert.deepEqual(smtp.to('eve@elsewhere.example'), []);
});

test('the address, the message and the answer are sealed, and not in the audit log', async () => {
  const id = await asked({ email: 'nowhere-else@traveller.example', message: 'a private sentence' });
  await ana.post(`/api/live/help-requests/${id}/answer`, { text: 'a private answer' });
  const { found } = await t.base.db.one<{ found: number }>(sql`
    select (select count(*) from audit_log where to_jsonb(audit_log)::text ~ 'nowhere-else|a private')::int
      + (select count(*) from live.help_requests where to_jsonb(help_requests)::text ~ 'nowhere-else|a private')::int as found`);
  assert.equal(found, 0);
  const { after: logged } = await t.base.db.one<{ after: Record<string, unknown> }>(sql`
    select after from audit_log where what = 'help answer' and target = ${`help request ${id}`}`);
  assert.deepEqual(Object.keys(logged).sort(), ['iccid', 'mode', 'state']);
});

test('without an address there is no answer, an empty one is refused, and a closed request can be answered again', async () => {
  const id = await asked();
  const refused = await ana.post(`/api/live/help-requests/${id}/answer`, { text: 'Hello' });
  assert.deepEqual([refused.status, refused.body.error.code], [409, 'help_without_address']);
  const other = await asked({ email: 'kim@traveller.example' });
  for (const text of ['', ' \n ', 'x'.repeat(4_001)])
    assert.equal((await ana.post(`/api/live/help-requests/${other}/answer`, { text })).status, 400);
  assert.equal((await ana.post(`/api/live/help-requests/${other}/close`)).body.request.state, 'closed');
  assert.equal(
    (await ana.post(`/api/live/help-requests/${other}/answer`, { text: 'Hello' })).body.request.state,
    'answered',
  );
});

test('the sandbox mails only the address the member signs in with', async () => {
  const other = await asked({ email: 'victim@traveller.example' }, sandbox);
  const refused = await ana.post(`/api/sandbox/help-requests/${other}/answer`, { text: 'Buy my watches' });
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'own_address_only']);
  const own = await asked({ email: 'Ana@partner.example' }, sandbox);
  assert.equal((await ana.post(`/api/sandbox/help-requests/${own}/answer`, { text: 'To me' })).status, 200);
  assert.deepEqual(smtp.to('victim@traveller.example'), []);
});

test('another partner’s request is answered like one that does not exist', async () => {
  const id = await asked({ email: 'kim@traveller.example' });
  assert.deepEqual((await stranger.get('/api/live/help-requests')).body.requests, []);
  const answerOf = async (path: string, body?: object) => {
    const { status, body: said } = body ? await stranger.post(path, body) : await stranger.get(path);
    return [status, said];
  };
  for (const [below, body] of [
    ['', undefined],
    ['/answer', { text: 'Hi' }],
    ['/close', {}],
  ] as const)
    assert.deepEqual(
      await answerOf(`/api/live/help-requests/${id}${below}`, body),
      await answerOf(`/api/live/help-requests/999999${below}`, body),
      below,
    );
  assert.equal((await ana.get(`/api/live/help-requests/${id}`)).body.request.state, 'open');
});

test('support may answer, read-only may look, and nobody else gets in', async () => {
  const id = await asked({ email: 'kim@traveller.example' });
  const reader = await signedInAs(t, partnerId, 'read-only', 'ro@partner.example');
  assert.equal((await reader.get(`/api/live/help-requests/${id}`)).status, 200);
  for (const below of ['/answer', '/close'])
    assert.equal((await reader.post(`/api/live/help-requests/${id}${below}`, { text: 'Hi' })).status, 403, below);
  const support = await signedInAs(t, partnerId, 'support', 'su@partner.example');
  assert.equal((await support.post(`/api/live/help-requests/${id}/answer`, { text: 'Hi' })).status, 200);
  assert.equal((await support.post(`/api/live/help-requests/${id}/close`)).status, 200);
  for (const path of ['', `/${id}`]) assert.equal((await browser(t).get(`/api/live/help-requests${path}`)).status, 401);
  assert.equal((await browser(t).post(`/api/live/help-requests/${id}/close`)).status, 401);
});

test('the event has the facts, goes to subscriptions that name it, and is numbered per eSIM', async () => {
  const { id: orderId } = await sharedOrder(t, { partnerId, plan, world: sandbox });
  const key = await t.key(partnerId, 'sandbox');
  await pausedSubscription(t, partnerId, 'esim.help_requested');
  for (const message of ['one', 'two'])
    await askForHelp(t, sandbox, orderId, { shows: 'no_signal', message, email: 'k@t.example' });
  const { deliveries } = (await t.get('/webhook/deliveries?event=esim.help_requested', { key })).body;
  assert.equal(deliveries.length, 2);
  const body = JSON.parse((await sandbox.webhooks.delivery(partnerId, BigInt(deliveries[0].id)))?.payload ?? '');
  const { iccid } = await sandbox.db.one<{ iccid: string }>(sql`select iccid from orders where id = ${orderId}`);
  assert.deepEqual(
    [body.event_id, body.iccid, body.order_id],
    [`sbx_esim.help_requested:${iccid}:2`, iccid, Number(orderId)],
  );
  const { shows, step, language, message, email, facts } = body.help;
  assert.deepEqual([shows, step, language, message, email], ['no_signal', 'install', 'en', 'two', 'k@t.example']);
  assert.deepEqual([facts.profile_state, facts.covered, facts.delivered], ['released', null, true]);
});
