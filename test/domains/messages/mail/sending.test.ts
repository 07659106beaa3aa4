import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { suite, test } from 'node:test';
import { sendDue } from '../../../../src/domains/messages/mail/job.ts';
import { tidyMails } from '../../../../src/domains/messages/mail/queue.ts';
import {
  LEASE_MS,
  MAX_ATTEMPTS,
  nextAttemptAt,
  STALE_AFTER_MS,
} from '../../../../src/domains/messages/mail/schedule.ts';
import { smtpPost } from '../../../../src/domains/messages/mail/send.ts';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import type { Db, Queryable } from '../../../../src/platform/db/database.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { readConfig } from '../../../../src/platform/settings/config.ts';
import { record } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { freePort } from '../../../support/program/ports.ts';
import { certificate } from '../../../support/servers/certificate.ts';
import { FROM, settingsFor, smtpServer } from '../../../support/servers/smtp.ts';
import { mailStage } from './stage.ts';

const { t, smtp, parts, sendAll, list } = await mailStage();
let letters = 0;
async function queued(): Promise<string> {
  const address = `reader${++letters}@example.com`;
  await run(t.operator(), ['mail', 'test', address]);
  return address;
}

suite('a mail that cannot be sent', () => {
  test('waits while the server is down and is delivered when it is back', async () => {
    const port = await freePort();
    const address = await queued();
    await sendAll(settingsFor(port));
    const [waiting] = await list(address);
    assert.deepEqual([waiting.status, waiting.attempts], ['waiting', 1]);
    assert.match(waiting.error, /ECONNREFUSED/);
    await using late = await smtpServer({ port });
    await sendAll(late.settings);
    assert.equal(late.received.length, 0, 'not before its time');
    t.clock.advance(MINUTE);
    await sendAll(late.settings);
    assert.equal(late.to(address).length, 1);
    const [sent] = await list(address);
    assert.deepEqual([sent.status, sent.attempts, sent.error], ['sent', 2, '']);
  });

  test('is given up at once if the server rejects its recipient for good', async () => {
    const address = await queued();
    smtp.refuse = () => ({ code: 550, message: '5.1.1 no such user' });
    await sendAll();
    smtp.refuse = () => undefined;
    const [failed] = await list(address);
    assert.deepEqual([failed.status, failed.attempts, failed.due_at], ['failed', 1, null]);
    assert.match(failed.error, /^550 5\.1\.1 no such user/);
    assert.deepEqual(
      (await run(t.operator(), 'mail list --status failed')).map(({ to }: { to: string }) => to),
      [address],
    );
    const lines = t.logged.filter((line) => line.includes('is given up'));
    assert.equal(lines.length, 1);
    assert.deepEqual(JSON.parse(lines[0] ?? '').reason, 'EENVELOPE RCPT TO 550');
    assert.ok(!lines[0]?.includes(address) && !lines[0]?.includes('no such user'));
  });

  test('is retried if it is rejected for now, less and less often, until it is given up', async () => {
    const address = await queued();
    smtp.refuse = () => ({ code: 451, message: '4.7.1 greylisted' });
    const waits: number[] = [];
    for (;;) {
      await sendAll();
      const [mail] = await list(address);
      if (mail.due_at === null) break;
      waits.push(mail.due_at.getTime() - t.clock.now());
      t.clock.advance(mail.due_at.getTime() - t.clock.now() + 1);
    }
    smtp.refuse = () => undefined;
    const [mail] = await list(address);
    assert.deepEqual([mail.status, mail.attempts], ['failed', MAX_ATTEMPTS]);
    assert.deepEqual(
      waits,
      [...waits].sort((a, b) => a - b),
    );
    assert.ok(waits.reduce((sum, wait) => sum + wait, 0) < STALE_AFTER_MS);
  });

  test('a wrong password is not held against the mail, and is in no log line', async () => {
    const password = 'pass-4711-word';
    record('secrets', `${password}\n`);
    await using strict = await smtpServer({
      onAuth: ({ username, password }, _session, done) =>
        done(new Error(`535 5.7.8 not accepted: ${username} ${password}`)),
    });
    const address = await queued();
    await sendAll(settingsFor(strict.port, `ana:${password}@`));
    const [mail] = await list(address);
    assert.deepEqual([mail.status, mail.attempts], ['waiting', 1]);
    assert.ok(!t.logged.join().includes(password));
    t.clock.advance(MINUTE);
    await sendAll();
    assert.equal(smtp.to(address).length, 1);
  });

  test('is given up when it has become old, for instance because mail was switched off', async () => {
    const address = await queued();
    t.clock.advance(STALE_AFTER_MS + 1);
    await sendAll();
    const [mail] = await list(address);
    assert.deepEqual([mail.status, mail.error], ['failed', 'too old']);
    assert.equal(smtp.to(address).length, 0);
  });

  test('scheduled too far ahead by a wrong clock, it is sent now', async () => {
    const address = await queued();
    await t.base.db.run(
      sql`update mails set due_at = ${new Date(t.clock.now() + 400 * DAY)} where recipient = ${address}`,
    );
    await sendAll();
    assert.equal(smtp.to(address).length, 1);
  });
});

suite('a server that misbehaves', () => {
  const letter = { messageId: 'x', to: 'a@example.com', date: new Date(0), subject: 's', text: 't' };

  /** Talks to a client as it likes. */
  async function rude(talk: (write: (text: string) => void) => NodeJS.Timeout | undefined) {
    const timers: (NodeJS.Timeout | undefined)[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      timers.push(talk((text) => socket.write(text)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      settings: settingsFor(port),
      [Symbol.dispose]() {
        for (const timer of timers) clearInterval(timer);
        server.close();
      },
    };
  }

  test('is left when the time for a batch is over: one that says nothing', async () => {
    using silent = await rude(() => undefined);
    const [one, two] = await smtpPost(silent.settings, 100)([letter, letter]);
    assert.deepEqual([one?.sent, two?.sent], [false, false]);
    assert.ok(one && !one.sent && !one.permanent);
  });

  test('and one that never ends its greeting', async () => {
    using trickling = await rude((write) => setInterval(() => write('220-wait\r\n'), 10));
    const [one] = await smtpPost(trickling.settings, 100)([letter]);
    assert.ok(one && !one.sent && !one.permanent);
  });

  test('one that answers nonsense costs an attempt and nothing else', async () => {
    using babbling = await rude((write) => void write('HTTP/1.1 200 OK\r\n\r\n'));
    const [one] = await smtpPost(babbling.settings, 2_000)([letter]);
    assert.ok(one && !one.sent && !one.permanent);
  });

  test('a link that it quotes is not stored', async () => {
    const secret = `wfl_${'aB-_'.repeat(10)}xyz`;
    smtp.refuse = () => ({ code: 554, message: `spam: ${secret}` });
    const [one] = await smtpPost(smtp.settings)([letter]);
    smtp.refuse = () => undefined;
    assert.ok(one && !one.sent && one.permanent && !one.error.includes(secret.slice(-6)));
  });
});

suite('killed anywhere', () => {
  class Killed extends Error {}
  /** Fails at the given statement, before or after the database has run it. */
  function dyingAt(db: Db, step: number, when: 'before' | 'after'): { db: Db; death: Promise<'died'> } {
    let steps = 0;
    let died = false;
    const { promise: death, resolve } = Promise.withResolvers<'died'>();
    const die = () => {
      died = true;
      resolve('died');
      return new Killed();
    };
    const around = <T>(work: () => Promise<T>): Promise<T> => {
      if (died || (++steps === step && when === 'before')) {
        return Promise.reject(die());
      }
      const dies = steps === step;
      return work().then((result) => {
        if (!dies) return result;
        throw die();
      });
    };
    const asked = (on: Queryable): Queryable => ({
      query: (statement) => around(() => on.query(statement)),
      one: (statement) => around(() => on.one(statement)),
      maybe: (statement) => around(() => on.maybe(statement)),
      run: (statement) => around(() => on.run(statement)),
    });
    const dying = {
      ...db,
      ...asked(db),
      tx: (work: (tx: never) => Promise<unknown>) => db.tx((tx) => work({ ...tx, ...asked(tx) } as never)),
    };
    return { db: dying as unknown as Db, death };
  }

  test('it is sent, and twice only if the mark after the acceptance is what was lost; both copies have one Message-ID', async () => {
    const copies: string[] = [];
    for (const when of ['before', 'after'] as const)
      for (let step = 1; ; step++) {
        const address = await queued();
        const partner = await t.partner({ email: `of-${address}` });
        await t.base.db.tx((tx) => t.base.mail.noticeFor(tx, partner, 'account_suspended', {}, t.clock.now()));
        const { db, death } = dyingAt(t.base.db, step, when);
        // A process that is killed tries nothing again, so we do not wait for what this one goes on doing.
        const running = sendDue({ ...parts(), db }).catch((error) => assert.ok(error instanceof Killed));
        const end = await Promise.race([death, running]);
        const atOnce = smtp.to(address).length;
        t.clock.advance(LEASE_MS + 1);
        await sendAll();
        for (const to of [address, `of-${address}`]) {
          const got = smtp.to(to);
          assert.ok(got.length >= 1, `lost at step ${step} ${when}`);
          assert.equal(new Set(got.map(({ headers }) => headers['message-id'])).size, 1);
          assert.equal((await list(to))[0].status, 'sent');
          if (got.length > 1) copies.push(`${when} ${step}: ${got.length}, ${atOnce} at once`);
          assert.ok(got.length <= 2);
        }
        if (end !== 'died') break;
      }
    assert.ok(copies.length > 0, 'the one step that sends a second copy was among them');
    assert.ok(
      copies.every((copy) => copy.startsWith('before')),
      'if the mark was written there is no second copy',
    );
  });
});

test('two workers at once send each mail once', async () => {
  const addresses = await Promise.all(Array.from({ length: 30 }, queued));
  await Promise.all([sendAll(), sendAll(), sendAll()]);
  for (const address of addresses) assert.equal(smtp.to(address).length, 1);
});

test('mails are kept for 30 days; what was not sent in three is given up even while mail is off', async () => {
  const sent = await queued();
  await sendAll();
  t.clock.advance(29 * DAY);
  const late = await queued();
  await tidyMails(t.base.db, t.clock.now());
  assert.deepEqual([(await list(sent)).length, (await list(late))[0].status], [1, 'waiting']);
  t.clock.advance(4 * DAY);
  while ((await tidyMails(t.base.db, t.clock.now())) > 0);
  const [given] = await list(late);
  assert.deepEqual([(await list(sent)).length, given.status, given.error], [0, 'failed', 'too old']);
});

suite('a password is not shown to a server that cannot prove who it is', () => {
  const letter = { messageId: 'x', to: 'a@example.com', date: new Date(0), subject: 's', text: 't' };
  for (const [what, options, at] of [
    [
      'with a certificate of its own making',
      { secure: true, ...certificate },
      (port: number) => `smtps://ana:pw@127.0.0.1:${port}`,
    ],
    // Not an address of this machine by name, though it leads here.
    ['without encryption', {}, (port: number) => `smtp://ana:pw@0.0.0.0:${port}`],
    [
      'with STARTTLS and a certificate of its own making',
      { hideSTARTTLS: false, ...certificate },
      (port: number) => `smtp://ana:pw@0.0.0.0:${port}`,
    ],
  ] as const)
    test(what, async () => {
      const seen: string[] = [];
      await using server = await smtpServer({
        ...options,
        onAuth({ password }, _session, done) {
          seen.push(String(password));
          done(null, { user: 'ana' });
        },
      });
      const { mail } = readConfig({ SMTP_URL: at(server.port), MAIL_FROM: FROM });
      assert.ok(mail);
      const [one] = await smtpPost(mail, 5_000)([letter]);
      assert.ok(one && !one.sent && !one.permanent, JSON.stringify(one));
      assert.deepEqual([seen, server.received], [[], []]);
    });

  test('on this machine it is, because nothing leaves it', async () => {
    const seen: string[] = [];
    await using server = await smtpServer({
      onAuth({ password }, _session, done) {
        seen.push(String(password));
        done(null, { user: 'ana' });
      },
    });
    const [one] = await smtpPost(settingsFor(server.port, 'ana:p%40ss@'))([letter]);
    assert.deepEqual([one, seen], [{ sent: true }, ['p@ss']]);
  });
});

test('the last wait ends before the mail is too old', () => {
  const waits = Array.from({ length: MAX_ATTEMPTS }, (_, i) => nextAttemptAt(i + 1, 0, 0));
  assert.equal(waits.at(-1), undefined);
  assert.ok(waits.slice(0, -1).every((wait) => wait !== undefined && wait > 0));
});
