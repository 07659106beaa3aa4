import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type CardPayments, type Intent, receiptFor } from '../../../../src/domains/billing/topups/topups.ts';
import { noticeKinds } from '../../../../src/domains/messages/mail/texts.ts';
import { findSubscription } from '../../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { toCents } from '../../../../src/platform/amounts/cents.ts';
import { HOUR, timestamp } from '../../../../src/platform/clock.ts';
import type { Queryable } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { liveTopupTerms } from '../../../../src/worlds/live.ts';
import { eventually } from '../../../support/eventually.ts';
import { testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { accepted, linkFor, signedIn, signedInAs, someEmail } from '../../../support/program/panel.ts';
import { cashOf, openTopup, topupsOf } from '../../../support/sales/topups.ts';
import { smtpServer } from '../../../support/servers/smtp.ts';
import { stage } from '../webhooks/stage.ts';
import { mailStage } from './stage.ts';

const { t, smtp, sendAll } = await mailStage();
const suspend = (partner: number, suspended = true) =>
  run(t.operator(), `partner set ${partner} --suspended ${suspended}`);

suite('who is notified', () => {
  test('every member who has accepted, and only they', async () => {
    const partner = await t.partner({ email: someEmail() });
    const [ana, ben, invited] = [someEmail(), someEmail(), someEmail()];
    await signedIn(t, partner, ana);
    await signedIn(t, partner, ben);
    await linkFor(t, partner, invited);
    await signedIn(t, await t.partner(), someEmail());
    await suspend(partner);
    await sendAll();
    const told = smtp.received.filter(({ headers }) => headers.subject === 'Your account has been suspended');
    assert.deepEqual(told.flatMap(({ to }) => to).sort(), [ana, ben].sort());
  });

  test('about money, only those whose role may see it', async () => {
    const partner = await t.partner({ email: someEmail() });
    const [finance, developer] = [someEmail(), someEmail()];
    await signedInAs(t, partner, 'finance', finance);
    await signedInAs(t, partner, 'developer', developer);
    const facts = { balance: '4.00', level: '5.00' };
    await t.base.db.tx((tx) => t.base.mail.noticeFor(tx, partner, 'balance_low', facts, t.clock.now()));
    await suspend(partner);
    await sendAll();
    const subjects = (to: string) => smtp.to(to).map(({ headers }) => headers.subject);
    assert.deepEqual(subjects(finance).sort(), ['Your account has been suspended', 'Your balance is low: 4.00 USD']);
    assert.deepEqual(subjects(developer), ['Your account has been suspended']);
  });

  test('the contact address of a partner without members', async () => {
    const email = someEmail();
    await suspend(await t.partner({ email }));
    await sendAll();
    const [mail] = smtp.to(email);
    assert.match(mail?.text ?? '', /billing account has been suspended/);
    assert.match(mail?.text ?? '', /^http:\/\/panel\.test\/live\/money$/m);
    assert.match(mail?.text ?? '', /\n-- \nSent by Wayfare to the people of Test\.\n$/);
  });

  test('not a contact address that is not one, and not the people of a closed account', async () => {
    const before = smtp.received.length;
    await suspend(await t.partner({ email: 'see contract' }));
    const closed = await t.partner({ email: someEmail() });
    await suspend(closed);
    await run(t.operator(), `partner delete ${closed}`);
    await sendAll();
    assert.equal(smtp.received.length, before);
  });
});

test('only a change is mailed: suspending again or lifting sends nothing, nor does the same news within an hour', async () => {
  const email = someEmail();
  const partner = await t.partner({ email });
  await suspend(partner);
  await suspend(partner);
  await suspend(partner, false);
  await suspend(partner);
  await sendAll();
  assert.equal(smtp.to(email).length, 1);
  t.clock.advance(HOUR + 1);
  await suspend(partner, false);
  await suspend(partner);
  await sendAll();
  assert.equal(smtp.to(email).length, 2);
});

test('a notice of a kind that only a newer version knows is left to it', async () => {
  const partner = await t.partner();
  await t.base.db.run(sql`
    insert into notices (partner_id, kind, facts, created_at)
    values (${partner}, 'of_tomorrow', '{}', ${new Date(t.clock.now())})`);
  await sendAll();
  assert.equal((await t.base.db.query(sql`select from notices where kind = 'of_tomorrow'`)).length, 1);
  assert.ok(!noticeKinds.includes('of_tomorrow' as never));
});

suite('top-ups', () => {
  const intents = new Map<string, Partial<Intent>>();
  const cards: CardPayments = {
    name: 'scripted',
    open: async (payment) => ({ ...(await cards.read(payment.paymentKey, payment)), clientSecret: 'x' }),
    read: async (id, payment) => {
      const { paymentKey, amount, currency } = payment;
      const none = toCents(0n);
      return { id, paymentKey, amount, currency, state: 'open', refunded: none, disputed: none, ...intents.get(id) };
    },
    cancel: async (id, payment) => ({ ...(await cards.read(id, payment)), state: 'canceled' }),
  };
  const live = { ...t.base.worlds.live, cards, topupTerms: liveTopupTerms, notices: t.base.mail };
  const topups = topupsOf(live);

  test('a failed one is mailed once, with its amount', async () => {
    const email = someEmail();
    const partner = await t.partner({ email });
    const key = await openTopup(topups, partner, toCents(2500n), t.clock.now());
    intents.set(key, { state: 'canceled' });
    for (let i = 0; i < 2; i++) await topups.confirm(partner, key, t.clock.now());
    await sendAll();
    assert.deepEqual(
      smtp.to(email).map(({ headers }) => headers.subject),
      ['Your top-up of 25.00 USD failed'],
    );
  });

  test('a disputed one is mailed with the amount taken from the wallet', async () => {
    const email = someEmail();
    const partner = await t.partner({ email });
    const key = await openTopup(topups, partner, toCents(4000n), t.clock.now());
    intents.set(key, { state: 'succeeded' });
    await topups.confirm(partner, key, t.clock.now());
    intents.set(key, { state: 'succeeded', disputed: toCents(3000n) });
    for (let i = 0; i < 2; i++) await topups.check(key, t.clock.now());
    await sendAll();
    const [mail, ...more] = smtp.to(email).filter(({ headers }) => !headers.subject?.startsWith('Receipt'));
    assert.equal(more.length, 0);
    assert.equal(mail?.headers.subject, 'A card payment of 30.00 USD is disputed');
    assert.match(mail?.text ?? '', /taken 30\.00 USD out of your wallet/);
  });

  test('one that succeeds is mailed once with its receipt, however often it is confirmed', async () => {
    const [email, billing] = [someEmail(), someEmail()];
    const partner = await t.partner({ email });
    const key = await openTopup(topups, partner, toCents(1000n), t.clock.now());
    intents.set(key, { state: 'succeeded' });
    for (let i = 0; i < 3; i++) await topups.confirm(partner, key, t.clock.now());
    await topups.check(key, t.clock.now());
    await topups.notify({ paymentKey: key }, t.clock.now());
    await topups.reconcile(t.clock.now());
    await sendAll();
    t.clock.advance(2 * HOUR);
    await topups.check(key, t.clock.now());
    await sendAll();
    const [mail, ...more] = smtp.to(email);
    assert.deepEqual([mail?.headers.subject, more.length], ['Receipt for your top-up of 10.00 USD', 0]);
    assert.match(mail?.text.replaceAll('\n', ' ') ?? '', /The receipt is attached\. It is not an invoice/);
    const name = `receipt-${key.replaceAll('_', '-')}.pdf`;
    const pdf = mail?.files.find((file) => file.name === name)?.bytes ?? assert.fail(mail?.raw.slice(0, 3000));
    assert.ok(pdf.subarray(0, 5).equals(Buffer.from('%PDF-')));
    assert.ok(pdf.includes(`(Receipt ${key})`), 'its title has the key of the payment');
    const { invoices } = t.base.worlds.live;
    const payment = receiptFor((await topups.find(key)) ?? assert.fail()) ?? assert.fail();
    assert.ok(pdf.equals(await invoices.receiptPdf(payment)), 'the same as anybody draws it later');
    await run(t.operator(), `partner set ${partner} --billing-email ${billing} --legal-name Ana`);
    const second = await openTopup(topups, partner, toCents(2000n), t.clock.now());
    intents.set(second, { state: 'succeeded' });
    await topups.confirm(partner, second, t.clock.now());
    await sendAll();
    assert.deepEqual([smtp.to(email).length, smtp.to(billing).length], [1, 1]);
  });

  test('the mail and the credit are one: if the one is lost, so is the other', async () => {
    const email = someEmail();
    const partner = await t.partner({ email });
    const broken = topupsOf({
      ...live,
      notices: {
        ...t.base.mail,
        async noticeFor(...notice) {
          await t.base.mail.noticeFor(...notice);
          throw new Error('killed');
        },
      },
    });
    const key = await openTopup(topups, partner, toCents(1000n), t.clock.now());
    intents.set(key, { state: 'succeeded' });
    await assert.rejects(broken.confirm(partner, key, t.clock.now()), /killed/);
    await sendAll();
    assert.deepEqual([await cashOf(live, partner), smtp.to(email).length], [0, 0]);
    await topups.confirm(partner, key, t.clock.now());
    await sendAll();
    assert.deepEqual([await cashOf(live, partner), smtp.to(email).length], [1000, 1]);
  });

  test('the sandbox mails no receipts', async () => {
    const email = someEmail();
    const partner = await t.partner({ email });
    const { topups: sandbox } = t.base.worlds.sandbox;
    const key = await openTopup(sandbox, partner, toCents(1000n), t.clock.now());
    assert.equal((await sandbox.confirm(partner, key, t.clock.now())).outcome, 'succeeded');
    await sendAll();
    assert.equal(smtp.to(email).length, 0);
  });

  test('one that its card holder abandons is not mailed', async () => {
    const email = someEmail();
    const partner = await t.partner({ email });
    const left = await openTopup(topups, partner, toCents(1000n), t.clock.now());
    await topups.check(left, t.clock.now() + 25 * HOUR);
    assert.equal((await topups.find(left))?.status, 'expired');
    await sendAll();
    assert.equal(smtp.to(email).length, 0);
  });
});

test('the running program mails about a webhook disabled after failures, in either world, without the secret in its path', async () => {
  await using post = await smtpServer();
  await using s = await stage({ config: { mail: post.settings } });
  const email = someEmail();
  await signedIn(s.t, s.partnerId, email);
  s.hook.answer = 500;
  for (const mode of ['live', 'sandbox'] as const) {
    const { id } = await s.subscribe(mode, `/hook/${mode}/T0PS3CRET`);
    // A few more than ten: the first attempts overlap, and count as one.
    for (let i = 0; i < 14; i++) await s.publish([{ event: 'order.delivered' }], mode);
    const mail = await eventually('the mail arrives', async () =>
      post.to(email).find(({ text }) => text.replaceAll('\n', ' ').includes(`${mode} subscription ${id}`)),
    );
    assert.equal(mail.headers.subject, `Webhooks to ${s.hook.host} have been stopped`);
    assert.ok(mail.text.includes(`http://panel.test/${mode}/webhooks/${id}\n`));
    assert.ok(!mail.raw.includes('T0PS3CRET'));
    const { nextTryAt } = await findSubscription(s.t.base.worlds[mode].db, id);
    assert.ok(nextTryAt);
    assert.ok(mail.text.replaceAll('\n', ' ').includes(`first at ${timestamp(nextTryAt)} UTC`), mail.text);
    const [line] = s.t.logged.filter((one) => one.includes('"a subscription was disabled') && one.includes(`"${id}"`));
    assert.match(line ?? '', /^\{"level":"warn"/);
  }
  assert.equal(post.received.length, 2);
});

test('without SMTP_URL nothing is queued, whatever happens, and links work as before', async () => {
  await using s = await stage();
  const ana = await accepted(s.t, s.partnerId);
  const { body } = await ana.post('/api/members', { email: someEmail() });
  assert.equal(body.mailed, false);
  assert.match(body.link, /\/welcome#wfl_/);
  await run(s.t.operator(), `partner set ${s.partnerId} --suspended true`);
  s.hook.answer = 500;
  const { id } = await s.subscribe();
  for (let i = 0; i < 14; i++) await s.publish([{ event: 'order.delivered' }]);
  const { db } = s.t.base;
  await eventually('the subscription is disabled', async () => {
    const [row] = await db.query<{ status: number }>(
      sql`select status from live.webhook_subscriptions where id = ${id}`,
    );
    return row?.status === 3;
  });
  await assert.rejects(run(s.t.operator(), 'mail test a@example.com'), { code: 'mail_off' });
  const rows = async (on: Queryable) =>
    Number(
      (
        await on.one<{ n: bigint }>(sql`
    select (select count(*) from mails) + (select count(*) from notices) as n`)
      ).n,
    );
  assert.equal(await rows(db), 0);
});

test('the metrics count mails that wait and mails that were given up', async () => {
  await using post = await smtpServer();
  await using other = await testApp({ config: { mail: post.settings }, role: 'panel' });
  const figures = async () => {
    other.clock.advance(6_000);
    return (await other.base.metrics.print()).match(/^wayfare_mails?_?\w*\{.*/gm);
  };
  await run(other.operator(), 'mail test a@example.com');
  await other.base.db.run(sql`
    insert into mails (kind, recipient, created_at, attempts, failed_at) values ('test', 'b@example.com', now(), 9, now())`);
  assert.deepEqual((await figures())?.slice(0, 2), [
    'wayfare_mails{status="waiting"} 1',
    'wayfare_mails{status="failed"} 1',
  ]);
  assert.match((await figures())?.[2] ?? '', /^wayfare_mail_oldest_seconds\{status="waiting"\} 1\d\./);
});
