import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { newKey } from '../../src/domains/partners/keys/key-rows.ts';
import { createLog } from '../../src/platform/log.ts';
import { testApp } from '../support/program/app.ts';

const secrets = {
  'a live key': newKey('live'),
  'a sandbox key': newKey('sandbox'),
  'a signing secret': `whsec_${'0123456789abcdef'.repeat(4)}`,
  'an operator’s session': `wfo_${'aB-_'.repeat(10)}xyz`,
  'a one-time link': `wfl_${'aB-_'.repeat(10)}xyz`,
  'a session': `wfs_${'-_3d'.repeat(10)}xyz`,
  "a traveller's link": `http://panel.test/e/wft_live-1042-0-${'aB-_'.repeat(10)}xyz`,
  'an activation code': 'LPA:1$smdp.example.com$ABCD-EFGH-1234',
  "a card provider's key": 'sk_live_51AbCdEfGh',
  "a card provider's signing secret": 'whsec_test_AbCdEf123',
};

suite('no secret is logged, wherever it occurs', () => {
  const lines: string[] = [];
  const log = createLog('debug', (line) => lines.push(line));

  for (const [name, secret] of Object.entries(secrets)) {
    test(name, () => {
      lines.length = 0;
      log.info(`asked with ${secret}`);
      log.info({ deep: { list: [{ value: secret }] }, [secret]: 1 }, 'nested');
      log.info({ headers: { 'x-api-key': secret } }, 'headers');
      log.error({ err: new Error(`no ${secret}`, { cause: new Error(secret) }) }, 'error');
      log.error({ err: Object.assign(new Error('no'), { detail: `Failing row contains (${secret})` }) }, 'error');
      log.error({ err: secret }, 'not an error');
      assert.equal(lines.length, 6);
      const tail = secret.slice(-6);
      for (const line of lines) assert.ok(!line.includes(secret) && !line.includes(tail), line);
      for (const line of lines) JSON.parse(line);
    });
  }

  test('extra properties of an error are not logged at all: the driver quotes whole rows', () => {
    lines.length = 0;
    log.error(
      { err: Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@b.c)' }) },
      'x',
    );
    assert.ok(!lines.join().includes('a@b.c'));
    assert.equal(JSON.parse(lines[0] ?? '').err.code, '23505');
  });
});

test('each request is one line with the id of its answer; bodies, queries and header values are in none', async () => {
  await using t = await testApp();
  const { key } = { key: await t.key(await t.partner(), 'sandbox') };
  const answers = [
    await t.post('/webhook/test?secret-query=1', 'secret-field=secret-value', {
      key,
      headers: { 'x-note': 'secret-note' },
    }),
    await t.get('/account/balance?x=%ff', { key }),
    await t.get('/account/balance', { host: 'live', key: 'secret-key' }),
    await t.ask('/elsewhere', { host: 'live', method: 'POST' }),
  ];
  for (const answer of answers) {
    const lines = t.logged.filter((line) => line.includes(String(answer.headers['x-request-id'])));
    assert.equal(lines.length, 1);
    assert.equal(JSON.parse(lines[0] ?? '').status, answer.status);
  }
  assert.ok(!t.logged.join('').includes('secret-'));
});
