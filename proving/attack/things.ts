import { createPartner } from '../../src/domains/partners/accounts/accounts.ts';
import { askForLive } from '../../src/domains/partners/applications/applications.ts';
import { members } from '../../src/domains/partners/people/people.ts';
import { proposals } from '../../src/domains/partners/proposals/proposals.ts';
import { toCents } from '../../src/platform/amounts/cents.ts';
import { raw, sql } from '../../src/platform/db/query/sql.ts';
import { run } from '../../test/support/program/operator.ts';
import { signedIn } from '../../test/support/program/panel.ts';
import { askForHelp } from '../../test/support/sales/shared-order.ts';
import type { AttackStage } from './stage.ts';

type Ids = Readonly<Record<string, string>>;

/** What an attacker knows: every id of the attacked partner, and the attacker's own addresses. */
export interface Things extends Pick<AttackStage, 't' | 'demo' | 'rich' | 'theirs' | 'subscriptions'> {
  /** By the word before an id in an address. */
  readonly ids: Readonly<Record<'live' | 'sandbox', Ids>>;
  readonly forms: Readonly<Record<'live' | 'sandbox', Readonly<Record<string, Record<string, string>>>>>;
  /** The number of a new application for live. */
  application(): Promise<string>;
  /** The address of the partner's owner. */
  readonly owner: string;
  /** An address of the attacker for a link of this kind; mail to it is read. */
  mailbox(kind: string): string;
  /** The addresses given out since the last time, by kind. */
  takeMailboxes(): ReadonlyMap<string, string>;
  /** The URL at which this run's attacker receives events. */
  receiver(): string;
  /** Starts a new attacker: ends what the previous one created, so that no limit gets in the way and nothing more is sent to them. */
  begin(): Promise<void>;
  /** Removes the people a role has invited. */
  tidy(): Promise<void>;
}

const THEIRS = '@attack.example';

export async function thingsOf(stage: AttackStage): Promise<Things> {
  const { t, demo, rich, theirs, subscriptions } = stage;
  const { db, worlds } = t.base;
  const { partnerId } = demo;
  const owner = 'owner@victim.example';
  await signedIn(t, partnerId, owner);
  const { lastKey } = await db.one<{ lastKey: number }>(sql`select max(id) as "lastKey" from api_keys`);
  const pending = (): Promise<{ memberId: number }> =>
    db.tx((tx) => members.create(tx, { partnerId, email: `pending${THEIRS}`, role: 'developer' }, t.clock.now()));
  const ofOwner = await db.one<{ id: number }>(sql`select id from members where email = ${owner}`);
  const topup = await worlds.live.db.one<{ key: string }>(
    sql`select payment_key as key from topups order by id limit 1`,
  );

  /** A partner that signed up and asks for live. */
  const application = () =>
    db.tx(async (tx) => {
      const wanted = { name: 'Newcomer', email: 'new@victim.example', isLive: false };
      const wish = {
        partnerId: await createPartner(tx, wanted, new Date(t.clock.now())),
        company: 'N',
        email: wanted.email,
      };
      const details = { address: 'a', country: 'b', taxNumber: 'c', volume: 'd', use: 'e' };
      return String((await askForLive(tx, { ...wish, details }, t.clock.now())).applicationId);
    });
  /** What another operator proposed to do for the attacked partner. */
  const wanted = {
    ...{ operatorId: 999_999, who: 'operator:other@victim.example', key: 'proposed' },
    ...{ action: 'wallet credit', input: { partner: String(partnerId), amount: '7.00' }, amount: toCents(700n) },
    ...{ partnerId, words: 'Credit 7.00 USD', terms: {} },
  };
  const proposal = await db.tx((tx) => proposals.add(tx, t.base.vault, wanted, t.clock.now()));
  // Secrets that partners must never find.
  const written = (about: readonly string[]) =>
    run(t.operator(), ['note', 'add', ...about, '--text', `Only operators know: ${about.join(' ')}`]);
  await written(['--partner', String(partnerId)]);

  const idsIn = async (mode: 'live' | 'sandbox'): Promise<Ids> => {
    await worlds[mode].requestLog.flush();
    const newest = await db.one<{ orderId: bigint; iccid: string; requestId: string; deliveryId: bigint }>(sql`
      select orders.id as "orderId", orders.iccid, request_id as "requestId", deliveries.id as "deliveryId"
      from ${raw(mode)}.orders join ${raw(mode)}.webhook_deliveries as deliveries on deliveries.order_id = orders.id
      where orders.partner_id = ${partnerId} and esim is not null and subscription_id = ${subscriptions[mode]}
        and event_type = 'order.delivered' order by orders.id desc limit 1`);
    await written(['--order', String(newest.orderId), '--mode', mode]);
    return {
      orders: String(newest.orderId),
      'help-requests': String(await askForHelp(t, worlds[mode], newest.orderId)),
      iccid: newest.iccid,
      requests: newest.requestId,
      deliveries: String(newest.deliveryId),
      webhooks: subscriptions[mode],
      partners: String(partnerId),
      statements: String(partnerId),
      keys: String(lastKey),
      members: String(ofOwner.id),
      accounts: String(ofOwner.id),
      sessions: '999999999',
      plans: demo.productId,
      routes: demo.productId,
      product: demo.productId,
      topups: topup.key,
      invoices: stage.rich.live.invoice,
      applications: await application(),
      proposals: String(proposal.id),
      views: '999999999',
    };
  };

  let mailboxes = new Map<string, string>();
  let count = 0;
  let walks = 0;
  const forms = (probe: string) => ({
    '/account/topup': { amount: '50.00' },
    '/account/sandboxBalance': { operation: 'set', amount: '500.00' },
    '/webhook/probe': { url: probe },
  });
  return {
    t,
    demo,
    rich,
    theirs,
    subscriptions,
    owner,
    application,
    ids: { live: await idsIn('live'), sandbox: await idsIn('sandbox') },
    forms: { live: forms(theirs.url), sandbox: forms(theirs.url) },
    mailbox(kind) {
      const address = `${++count}${THEIRS}`;
      mailboxes.set(address, kind);
      return address;
    },
    receiver: () => `${theirs.url}/${walks}`,
    async begin() {
      walks += 1;
      await db.run(sql`update api_keys set revoked_at = now() where id > ${lastKey} and revoked_at is null`);
      for (const mode of ['live', 'sandbox'] as const) {
        await run(t.operator(), ['webhook', 'set', subscriptions[mode], '--url', `${stage.hook.url}/${mode}`]);
        const made = (await worlds[mode].webhooks.subscriptions(partnerId)).filter(({ url }) =>
          url.includes(theirs.host),
        );
        for (const { id } of made) await run(t.operator(), `webhook delete ${id}`);
      }
    },
    takeMailboxes() {
      const taken = mailboxes;
      mailboxes = new Map();
      return taken;
    },
    async tidy() {
      await db.run(sql`delete from members where email like ${`%${THEIRS}`}`);
      await db.run(sql`delete from staff where email like ${`%${THEIRS}`}`);
      await pending();
    },
  };
}
