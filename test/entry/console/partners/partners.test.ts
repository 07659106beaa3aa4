import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { actions } from '../../../../src/actions/actions.ts';
import { readSoldTo } from '../../../../src/domains/insight/figures/sales.ts';
import { sumColumns } from '../../../../src/domains/insight/rollups/rollups.ts';
import { searchPartners } from '../../../../src/domains/partners/accounts/accounts.ts';
import { DAY } from '../../../../src/platform/clock.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { balanceAfter, isOtherwise, type Move } from '../../../../web/src/console/pages/partners/balanceAfter.ts';
import {
  inviteInput,
  keyInput,
  moveCall,
  newKeyInput,
  newPartnerInput,
  newSubscriptionInput,
  subscriptionInput,
  termsInput,
  termsOf,
} from '../../../../web/src/console/pages/partners/inputs.ts';
import { moneyTrend, ordersTrend } from '../../../../web/src/console/pages/partners/trend.ts';
import { explaining } from '../../../support/database/explain.ts';
import { explainReads } from '../../../support/database/measured-plan.ts';
import { record, testApp } from '../../../support/program/app.ts';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { accepted, type Browser, browser, signedIn, someEmail } from '../../../support/program/panel.ts';
import { receiver } from '../../../support/servers/receiver.ts';

const hook = await receiver();
const t = await testApp({ config: { webhookTrustedHosts: [hook.host] } });
after(async () => {
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});
const admin = await signedInOperator(t);
const readOnly = await signedInOperator(t, 'read-only');

/** As the page does it; what is shown once is kept for the check that nothing logged it. */
async function done(who: Browser, words: string, input: Readonly<Record<string, string | boolean | undefined>>) {
  const answer = await runAs(who, words, input);
  assert.equal(answer.status, 200, `${words}: ${answer.text}`);
  const { result } = answer.body;
  for (const issued of [result.key, result.secret, result.link?.split('#')[1]])
    if (typeof issued === 'string') record('secrets', `${issued}\n`);
  return result;
}
const seen = async (id: number, part = '') => (await readOnly.get(`/operator/api/partners/${id}${part}`)).body;
const partnerSeen = async (id: number) => (await seen(id)).partner;

suite('the list of partners', () => {
  const ids = async (query: string) =>
    (await readOnly.get(`/operator/api/partners?${query}`)).body.partners.map(({ id }: { id: number }) => id);

  const columns = raw(['partner_id', 'day', 'supplier', 'destination', ...sumColumns].join(', '));
  /** The sums of a day: these, and zero for all others. */
  const sums = (known: Readonly<Record<string, string>>) =>
    raw(sumColumns.map((name) => known[name] ?? '0').join(', '));

  test('shows what a partner holds or owes, what it can spend, and its live orders of the last 30 days', async () => {
    const prepaid = await t.partner({ name: 'Alpine Roam', email: 'ops@alpine.example' });
    const onCredit = await t.partner({ name: 'Nordic Sims', billing: 'postpaid', creditLimit: 50_000n as never });
    await run(t.operator(), `wallet credit --partner ${prepaid} --amount 12.30`);
    await run(t.operator(), `wallet credit --partner ${prepaid} --amount 1 --promo`);
    await run(t.operator(), `wallet adjust --partner ${onCredit} --add 120.05 --debt --note x`);
    const now = t.clock.now();
    for (const [age, orders] of [
      [0, 3],
      [29 * DAY, 4],
      [30 * DAY, 9],
    ] as const)
      await t.base.db.run(sql`
        insert into live.partner_sales_by_day (${columns})
        values (${prepaid}, (${new Date(now - age)}::timestamptz at time zone 'UTC')::date, 'simulated', 'FR',
          ${sums({ orders: `${orders}`, charged: `${orders * 100}`, returned: '50' })})`);
    const { partners } = (await readOnly.get('/operator/api/partners')).body;
    const [first, second] = partners;
    assert.deepEqual([first.id, second.id], [onCredit, prepaid]);
    const { created_at, ...rest } = second;
    assert.match(created_at, /Z$/);
    assert.deepEqual(rest, {
      id: prepaid,
      name: 'Alpine Roam',
      email: 'ops@alpine.example',
      status: 'active',
      billing_mode: 'prepaid',
      wallet: {
        balance: '13.30',
        cash: '12.30',
        promo: '1.00',
        debt: '0.00',
        credit_limit: '0.00',
        available: '13.30',
      },
      recent: { orders: 7, charged: '7.00', returned: '1.00' },
    });
    assert.deepEqual(
      [first.wallet.debt, first.wallet.available, first.wallet.credit_limit],
      ['120.05', '379.95', '500.00'],
    );
  });

  test('finds a partner by id, by a part of its name or contact address, and by the address of a member', async () => {
    const id = await t.partner({ name: 'Würzburg Wander 100%', email: 'kontakt@wander.example' });
    await accepted(t, id, 'Otto@member.example');
    assert.deepEqual(await ids(`q=${id}`), [id]);
    assert.deepEqual(await ids(`q=${encodeURIComponent('WÜRZBURG')}`), [id]);
    assert.deepEqual(await ids(`q=${encodeURIComponent('würz')}`), [id]);
    assert.deepEqual(await ids('q=WANDER.EX'), [id]);
    assert.deepEqual(await ids('q=otto%40member.example'), [id]);
    // A percent sign and an underscore are text, not patterns.
    assert.deepEqual(await ids('q=100%25'), [id]);
    assert.deepEqual(await ids('q=Wander_'), []);
    assert.deepEqual(await ids('q=999999'), []);
  });

  test('is filtered by status, worst first, and by billing; a filter it does not know filters nothing', async () => {
    const name = 'Statuses';
    const made = await Promise.all(['a', 'b', 'c', 'd'].map(() => t.partner({ name })));
    const [active = 0, suspended = 0, disabled = 0, closed = 0] = made;
    await run(t.operator(), `partner set ${suspended} --suspended true --billing postpaid`);
    await run(t.operator(), `partner set ${disabled} --suspended true --disabled true`);
    await run(t.operator(), `partner delete ${closed}`);
    for (const [status, id] of Object.entries({ active, suspended, disabled, closed })) {
      assert.deepEqual(await ids(`q=${name}&status=${status}`), [id]);
      assert.equal((await partnerSeen(id)).status, status);
    }
    assert.deepEqual(await ids(`q=${name}&billing=postpaid`), [suspended]);
    assert.equal((await ids(`q=${name}&status=x&before=y`)).length, 4);
  });

  test('is read page by page, each off the primary key, with 20,000 partners', async () => {
    await t.base.db.run(sql`
      with made as (
        insert into partners (name, email) select 'Many ' || n, 'many' || n || '@example.com' from generate_series(1, 20000) n
        returning id
      )
      insert into live.wallets (partner_id) select id from made`);
    await t.base.db.run(sql`analyze partners`);
    await t.base.db.run(sql`analyze live.wallets`);
    const first = (await readOnly.get('/operator/api/partners')).body;
    assert.equal(first.partners.length, 50);
    assert.equal(first.has_more, true);
    const before = first.partners.at(-1).id;
    const [next] = await ids(`before=${before}`);
    assert.equal(next, before - 1);
    assert.deepEqual((await readOnly.get('/operator/api/partners?q=Many+20000')).body.has_more, false);

    const { db, plans } = explaining(t.base.db);
    for (const filter of [{ before: 10_000 }, { before: undefined }, { billingMode: 'prepaid' as const }])
      await searchPartners(db, { text: '', limit: 51, ...filter });
    for (const plan of plans) {
      assert.match(plan, /Index Scan Backward using partners_pkey/);
      assert.doesNotMatch(plan, /Sort|Seq Scan/);
    }
    // What they bought is read for the partners of the page only.
    await t.base.db.run(sql`
      insert into live.partner_sales_by_day (${columns})
      select 1 + n % 2000, '2026-01-01'::date + n / 2000, 'simulated', 'FR', ${sums({ orders: '1' })} from generate_series(0, 99999) n
      on conflict do nothing`);
    await t.base.db.run(sql`analyze live.partner_sales_by_day`);
    const dates = { from: new Date('2026-01-05'), to: new Date('2026-02-04') };
    const { result, rowsRead } = await explainReads(t.base.worlds.live.db, (reads) =>
      readSoldTo(reads, [5, 6, 7], dates),
    );
    assert.deepEqual([result.map(({ orders }) => orders), rowsRead < 150], [[30, 30, 30], true]);
  });
});

suite('what a partner’s page sends', () => {
  test('create a partner and invite its first member: the link is in the answer once', async () => {
    const wanted = { name: ' Island ', email: 'ops@island.example ', billing: 'postpaid', creditLimit: '500' } as const;
    const { partner_id: id } = await done(admin, 'partner create', newPartnerInput(wanted));
    const made = await partnerSeen(id);
    assert.deepEqual([made.name, made.email, made.billing_mode], ['Island', 'ops@island.example', 'postpaid']);
    assert.equal(made.wallet.credit_limit, '500.00');
    const invited = await done(admin, 'member invite', inviteInput(id, ' ana@island.example', 'owner'));
    assert.match(invited.link, /^http:\/\/panel\.test\/welcome#/);
    const { members } = await seen(id, '/members');
    assert.deepEqual(
      members.map((one: Record<string, unknown>) => [one.email, one.role, one.accepted, one.second_factor]),
      [['ana@island.example', 'owner', false, false]],
    );
    assert.ok(!JSON.stringify(members).includes(invited.link.split('#')[1]));
    // Prepaid: a credit limit that is still in the form is not sent.
    assert.deepEqual(newPartnerInput({ ...wanted, billing: 'prepaid' }), {
      name: 'Island',
      email: 'ops@island.example',
      billing: 'prepaid',
    });
  });

  test('change terms: only what was changed, and an empty field clears', async () => {
    const id = await t.partner();
    const was = termsOf(await partnerSeen(id));
    assert.deepEqual(termsInput(was, was), {});
    const all = {
      billing: 'postpaid',
      creditLimit: '800',
      balanceAlert: '20',
      replacements: '50',
      marginShare: '25',
      revenueShare: '40.5',
    } as const;
    await done(admin, 'partner set', { id: String(id), ...termsInput(was, all) });
    const set = await partnerSeen(id);
    assert.deepEqual(termsOf(set), {
      billing: 'postpaid',
      creditLimit: '800.00',
      balanceAlert: '20.00',
      replacements: '50.00',
      marginShare: '25.00',
      revenueShare: '40.50',
    });
    const none = {
      ...termsOf(set),
      creditLimit: '',
      balanceAlert: ' ',
      replacements: '',
      marginShare: '',
      revenueShare: '',
    };
    const cleared = termsInput(termsOf(set), none);
    assert.deepEqual(cleared, {
      'credit-limit': '0',
      'balance-alert': 'off',
      replacements: '0',
      'margin-share': 'none',
      'revenue-share': 'off',
    });
    await done(admin, 'partner set', { id: String(id), ...cleared });
    assert.deepEqual(termsOf(await partnerSeen(id)), { ...was, billing: 'postpaid' });
  });

  test('suspend, lift, disable, enable and close; a closed account is shown and takes no change', async () => {
    const id = await t.partner();
    const given = String(id);
    for (const [change, status] of [
      [{ suspended: 'true' }, 'suspended'],
      [{ suspended: 'false' }, 'active'],
      [{ disabled: 'true' }, 'disabled'],
      [{ disabled: 'false' }, 'active'],
    ] as const) {
      await done(admin, 'partner set', { id: given, ...change });
      assert.equal((await partnerSeen(id)).status, status);
    }
    await done(admin, 'partner delete', { id: given });
    const closed = await partnerSeen(id);
    assert.equal(closed.status, 'closed');
    assert.match(closed.closed_at, /Z$/);
    const refused = await runAs(admin, 'wallet credit', { partner: given, amount: '1' });
    assert.equal(refused.body.error.code, 'partner_closed');
  });

  test('keys: created and shown once, changed, revoked; their text is in no list', async () => {
    const id = await t.partner();
    const fields = { name: 'Shop', allow_list: '203.0.113.7\n 2001:db8::/32', expires_on: '2040-05-31' };
    const { key, key_id } = await done(admin, 'key create', newKeyInput(id, 'live', fields));
    assert.match(key, /^esk_[0-9a-f]{40}$/);
    const listed = await readOnly.get(`/operator/api/partners/${id}/keys`);
    assert.ok(!listed.text.includes(key.slice(9, 20)));
    const [made] = listed.body.keys;
    assert.deepEqual(
      [made.id, made.name, made.allow_list, made.expires_at, made.tier_ceilings],
      [key_id, 'Shop', ['203.0.113.7', '2001:db8::/32'], '2040-05-31T23:59:59.000Z', {}],
    );
    const ceilings = { catalog: '', read: '', purchase: '600', money: '', outbound: '' };
    assert.deepEqual(keyInput(made, { ...fields, ...ceilings, purchase: '' }), { id: String(key_id) });
    await done(admin, 'key set', keyInput(made, { name: 'Till', allow_list: '', expires_on: '', ...ceilings }));
    const [changed] = (await seen(id, '/keys')).keys;
    assert.deepEqual(
      [changed.name, changed.allow_list, changed.expires_at, changed.tier_ceilings],
      ['Till', [], null, { purchase: 600 }],
    );
    const lifted = keyInput(changed, {
      ...fields,
      name: '',
      allow_list: '',
      expires_on: '',
      ...ceilings,
      purchase: '',
    });
    assert.deepEqual(lifted, { id: String(key_id), ceilings: 'purchase=none' });
    await done(admin, 'key set', lifted);
    await done(admin, 'key revoke', { id: String(key_id) });
    assert.notEqual((await seen(id, '/keys')).keys[0].revoked_at, null);
    assert.deepEqual(newKeyInput(id, 'sandbox', { name: '', allow_list: ' \n', expires_on: '' }), {
      partner: String(id),
      mode: 'sandbox',
    });
  });

  test('a restricted key: its permissions are in the list, and none chosen is refused, not taken for all', async () => {
    const id = await t.partner();
    await done(admin, 'key create', newKeyInput(id, 'live', { permissions: ['buy', 'webhooks'] }));
    assert.deepEqual((await seen(id, '/keys')).keys[0].permissions, ['buy', 'webhooks']);
    const none = await runAs(admin, 'key create', newKeyInput(id, 'live', { permissions: [] }));
    assert.equal(none.status, 400);
    assert.equal((await seen(id, '/keys')).keys.length, 1);
  });

  test('members: role, new link, second factor, removal', async () => {
    const id = await t.partner();
    const email = someEmail();
    await accepted(t, id, email);
    const [member] = (await seen(id, '/members')).members;
    const given = { id: String(member.id) };
    await done(admin, 'member set', { ...given, role: 'finance' });
    await done(admin, 'member invite', inviteInput(id, email));
    assert.equal((await seen(id, '/members')).members[0].role, 'finance');
    await t.base.db.run(sql`
      insert into second_factors (person_id, secret, on_since)
      select person_id, ${t.base.vault.seal('never asked for')}, now() from members where id = ${member.id}`);
    assert.equal((await seen(id, '/members')).members[0].second_factor, true);
    await done(admin, 'member reset-second-factor', given);
    assert.equal((await seen(id, '/members')).members[0].second_factor, false);
    await done(admin, 'member remove', given);
    assert.deepEqual((await seen(id, '/members')).members, []);
  });

  test('webhooks of both worlds: create, edit, pause, resume, rotate, finish, requeue, delete; secrets are shown once', async () => {
    const [admin, support] = [await signedInOperator(t), await signedInOperator(t, 'support')];
    const id = await t.partner();
    const { events, all_events } = await seen(id, '/subscriptions');
    const made = [];
    for (const mode of ['live', 'sandbox'] as const) {
      const input = newSubscriptionInput(id, mode, { url: `${hook.url}/${mode}`, events });
      made.push(await done(admin, 'webhook create', input));
    }
    const listed = await readOnly.get(`/operator/api/partners/${id}/subscriptions`);
    assert.deepEqual(
      listed.body.subscriptions.map((one: Record<string, unknown>) => [one.mode, one.status, one.events]),
      [
        ['live', 1, events],
        ['sandbox', 1, events],
      ],
    );
    const secrets = made.map(({ secret }) => secret as string);
    assert.ok(secrets.every((secret) => !listed.text.includes(secret)));
    const given = { id: String(made[0].subscription_id) };
    const now = async () => (await seen(id, '/subscriptions')).subscriptions[0];
    await done(admin, 'webhook set', subscriptionInput(given.id, { url: `${hook.url}/other`, events: all_events }));
    assert.deepEqual([(await now()).url, (await now()).events.length], [`${hook.url}/other`, all_events.length]);
    await done(support, 'webhook pause', given);
    assert.equal((await now()).status, 2);
    await done(support, 'webhook resume', { ...given, discard: false });
    assert.equal((await now()).status, 1);
    const { secret } = await done(admin, 'webhook rotate', { ...given, now: false });
    assert.notEqual((await now()).rotation_ends_at, null);
    assert.ok(!(await readOnly.get(`/operator/api/partners/${id}/subscriptions`)).text.includes(secret));
    await done(admin, 'webhook rotate', { ...given, finish: true });
    assert.equal((await now()).rotation_ends_at, null);
    assert.equal((await now()).dead, 0);
    await t.base.db.run(sql`
      insert into live.webhook_deliveries (partner_id, subscription_id, order_id, event_type, event_id, status, attempts, max_attempts, error, created_at, died_at, body)
      values (${id}, ${given.id}, 0, 'order.delivered', 'x', 'dead', 5, 5, 'timeout', now(), now(), ${t.base.vault.seal('{}')})`);
    assert.equal((await now()).dead, 1);
    assert.deepEqual(await done(support, 'webhook requeue', { subscription: given.id }), { requeued: 1 });
    await done(support, 'webhook delete', given);
    assert.equal((await now()).mode, 'sandbox');
  });

  test('the clock of its sandbox: advance and reset', async () => {
    const support = await signedInOperator(t, 'support');
    const id = await t.partner();
    const partner = String(id);
    await done(support, 'sandbox clock advance', { partner, by: '3d' });
    const { test_clock } = await seen(id, '/clock');
    assert.deepEqual([test_clock.on, test_clock.ahead_seconds], [true, 3 * 86_400]);
    await done(support, 'sandbox clock reset', { partner });
    assert.equal((await seen(id, '/clock')).test_clock.on, false);
  });
});

suite('money by hand', () => {
  const money = (more: Partial<Record<'cash' | 'promo' | 'debt' | 'credit_limit', string>> = {}) => ({
    balance: '0.00',
    available: '0.00',
    cash: '0.00',
    promo: '0.00',
    debt: '0.00',
    credit_limit: '0.00',
    ...more,
  });
  const move = (kind: Move['kind'], amount: string, by: Move['by'] = 'add', what: Move['what'] = 'cash'): Move => ({
    kind,
    amount,
    by,
    what,
  });

  test('the balance after is exact in cents, however large', () => {
    const held = money({ cash: '90071992547409.93', promo: '0.10' });
    assert.deepEqual(balanceAfter(held, 'prepaid', move('credit', '0.07')), {
      outcome: 'moved',
      after: {
        balance: '90071992547410.10',
        cash: '90071992547410.00',
        promo: '0.10',
        debt: '0.00',
        available: '90071992547410.10',
      },
    });
  });

  test('what is not an amount of at least a cent has no balance after', () => {
    for (const amount of ['', ' ', '0', '0.00', '-1', '1.005', '1,50', 'x', '1e3'])
      assert.deepEqual(balanceAfter(money(), 'prepaid', move('credit', amount)), { outcome: 'unread' }, amount);
  });

  test('what the server would refuse is shown before it is sent', () => {
    const held = money({ cash: '5.00', promo: '1.00', debt: '10.00' });
    for (const refused of [
      move('payment', '10.01'),
      move('adjust', '5.01', 'subtract', 'cash'),
      move('adjust', '1.01', 'subtract', 'promo'),
    ])
      assert.equal(balanceAfter(held, 'postpaid', refused).outcome, 'refused');
    for (const fits of [
      move('payment', '10.00'),
      move('adjust', '5.00', 'subtract', 'cash'),
      move('adjust', '1.00', 'subtract', 'promo'),
      // A debt may fall below zero.
      move('adjust', '10.01', 'subtract', 'debt'),
    ])
      assert.equal(balanceAfter(held, 'postpaid', fits).outcome, 'moved');
  });

  for (const billing of ['prepaid', 'postpaid'] as const)
    test(`every move leaves a ${billing} account at what the page said, whatever the move`, async () => {
      const finance = await signedInOperator(t, 'finance');
      const id = await t.partner({ billing, creditLimit: 100_000n as never });
      const moves = [
        move('credit', '33.33'),
        move('promo', '7.07'),
        move('adjust', '0.40', 'add', 'cash'),
        move('adjust', '3.33', 'subtract', 'cash'),
        move('adjust', '1.11', 'add', 'promo'),
        move('adjust', '2.22', 'subtract', 'promo'),
        move('adjust', '80.01', 'add', 'debt'),
        move('adjust', '10.00', 'subtract', 'debt'),
        move('payment', '70'),
      ];
      for (const one of moves) {
        const { wallet, billing_mode } = await partnerSeen(id);
        const said = balanceAfter(wallet, billing_mode, one);
        assert.equal(said.outcome, 'moved');
        if (said.outcome !== 'moved') continue;
        const { action, input } = moveCall(id, one, ' by hand ');
        const result = await done(finance, action, input);
        assert.equal(isOtherwise(said.after, result), false);
        const { credit_limit: _, ...after } = (await partnerSeen(id)).wallet;
        assert.deepEqual(after, said.after);
      }
      const of = async (book: string) => (await seen(id, `/movements?book=${book}`)).movements;
      assert.deepEqual(
        (await of('wallet')).map((line: Record<string, unknown>) => [line.type, line.amount, line.note]),
        [
          ['adjust', '-2.22', 'by hand'],
          ['adjust', '1.11', 'by hand'],
          ['adjust', '-3.33', 'by hand'],
          ['adjust', '0.40', 'by hand'],
          ['promo', '7.07', 'by hand'],
          ['topup', '33.33', 'by hand'],
        ],
      );
      assert.deepEqual(
        (await of('debt')).map((line: Record<string, unknown>) => [line.type, line.amount, line.balance_after]),
        [
          ['payment', '-70.00', '0.01'],
          ['adjust', '-10.00', '70.01'],
          ['adjust', '80.01', '80.01'],
        ],
      );
    });

  test('if the balance changed meanwhile, the answer differs from what was shown', async () => {
    const id = await t.partner();
    const { wallet } = await partnerSeen(id);
    const said = balanceAfter(wallet, 'prepaid', move('credit', '5'));
    await run(t.operator(), `wallet credit --partner ${id} --amount 0.01`);
    const result = await done(admin, 'wallet credit', moveCall(id, move('credit', '5'), '').input);
    assert.ok(said.outcome === 'moved' && isOtherwise(said.after, result));
    assert.equal(result.balance, '5.01');
  });

  test('movements name their order, and come page by page', async () => {
    const id = await t.partner();
    await t.base.db.run(sql`
      insert into live.movements (partner_id, book, type, amount, balance_after, order_id, note, at, line)
      select ${id}, 'wallet', 'topup', 100, 100 * n, case when n = 30 then 77 end, '', now(), n from generate_series(1, 30) n`);
    await t.base.db.run(sql`update live.wallets set wallet_lines = 30 where partner_id = ${id}`);
    const first = await seen(id, '/movements');
    assert.equal(first.movements.length, 25);
    assert.equal(first.total, 30);
    assert.deepEqual([first.movements[0].order_id, first.movements[1].order_id], ['77', null]);
    const second = await seen(id, '/movements?page=2');
    assert.deepEqual([second.movements.length, second.total], [5, 30]);
    assert.deepEqual((await seen(id, '/movements?book=debt')).movements, []);
  });
});

suite('who may read and act', () => {
  const parts = ['', '/movements', '/keys', '/members', '/clock', '/subscriptions'];

  test('an operator of any role sees a partner; no one else does', async () => {
    const id = await t.partner();
    const member = await signedIn(t, id);
    for (const part of parts) {
      const path = `/operator/api/partners/${id}${part}`;
      for (const role of ['admin', 'finance', 'support', 'read-only'] as const)
        assert.equal((await (await signedInOperator(t, role)).get(path)).status, 200, path);
      assert.equal((await member.get(path)).body.error.code, 'sign_in_required', path);
      assert.equal((await browser(t).get(path)).body.error.code, 'sign_in_required', path);
    }
    assert.equal((await member.get('/operator/api/partners')).body.error.code, 'sign_in_required');
    assert.equal((await readOnly.get('/operator/api/webhook-events/live')).status, 200);
    assert.equal((await readOnly.get('/operator/api/webhook-events/other')).body.error.code, 'not_found');
  });

  test('a partner that does not exist, or cannot, is not found', async () => {
    for (const part of parts) {
      const answers = await Promise.all(
        ['999999', '0', 'x', '1.5', '99999999999'].map((id) => readOnly.get(`/operator/api/partners/${id}${part}`)),
      );
      for (const { status, text } of answers) assert.deepEqual([status, text], [404, answers[0]?.text]);
      assert.equal(answers[0]?.body.error.code, 'partner_not_found');
    }
  });

  test('support helps but moves no money, finance the other way round, both may invite, read-only does nothing', async () => {
    const id = String(await t.partner());
    const answer = async (role: 'support' | 'finance' | 'read-only', words: string) =>
      (await runAs(await signedInOperator(t, role), words, { partner: id })).body.error.code;
    const ofSupport = ['member invite', 'webhook pause', 'sandbox clock advance'];
    const ofFinance = ['member invite', 'wallet credit', 'wallet payment', 'wallet adjust', 'partner set'];
    const ofAdmin = ['partner create', 'partner delete', 'key create', 'key set', 'member set', 'member remove'];
    ofAdmin.push('webhook create', 'webhook set', 'webhook rotate');
    for (const words of [...ofSupport, ...ofFinance, ...ofAdmin]) {
      assert.equal(await answer('read-only', words), 'role_forbids', words);
      assert.equal(await answer('support', words), ofSupport.includes(words) ? 'invalid_input' : 'role_forbids', words);
      assert.equal(await answer('finance', words), ofFinance.includes(words) ? 'invalid_input' : 'role_forbids', words);
    }
  });

  test('money, access and secrets ask for the password again', () => {
    const fresh = (words: string) => {
      const rule = actions.find(({ name }) => name === words)?.console;
      return typeof rule === 'object' && 'may' in rule && rule.fresh === true;
    };
    for (const words of [
      'partner set',
      'partner delete',
      'wallet credit',
      'wallet payment',
      'wallet adjust',
      'key create',
      'key revoke',
      'member invite',
      'member set',
      'member remove',
      'member reset-second-factor',
      'webhook create',
      'webhook set',
      'webhook rotate',
      'webhook delete',
    ])
      assert.ok(fresh(words), words);
  });
});

test('the days of a partner are compared with the days before, without today, which is not over', () => {
  const days = (...orders: number[]) =>
    orders.map((count) => ({ orders: count, revenue: (count * 10.1).toFixed(2), margin: (count * -0.1).toFixed(2) }));
  // The first of an even number is left out.
  const grown = days(900, 1, 2, 3, 7, 100);
  assert.equal(ordersTrend(grown), '7 more than in the 2 days before');
  assert.equal(moneyTrend(grown, 'revenue'), '$70.70 more than in the 2 days before');
  assert.equal(moneyTrend(grown, 'margin'), '$0.70 less than in the 2 days before');
  assert.equal(ordersTrend(days(5, 2, 0)), '3 fewer than in the 1 day before');
  assert.equal(ordersTrend(days(2, 2, 9)), 'As many as in the 1 day before');
  assert.equal(moneyTrend(days(2, 2, 9), 'revenue'), undefined);
  assert.equal(ordersTrend(days(0, 4, 9)), '4 in the last 1 day, none before');
  assert.equal(ordersTrend(days(0, 0, 9)), undefined);
  assert.equal(ordersTrend(days(4, 9)), undefined);
});
