import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, MINUTE } from '../../../../src/platform/clock.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { testApp } from '../../../support/program/app.ts';

const KEPT_DAYS = 90;

for (const mode of ['live', 'sandbox'] as Mode[])
  test(`webhooks in Airalo's form leave the log when they are old and done with, and repeats after a day (${mode})`, async () => {
    await using t = await testApp({ config: { deliveriesKeptMs: KEPT_DAYS * DAY } });
    const { db, airaloNotices } = t.base.worlds[mode];
    const now = t.clock.now();
    const client = { partnerId: await t.partner(), keyId: 1 };
    const note = (name: string, daysAgo: number) =>
      airaloNotices.send(client, 'webhook_low_data', 'https://example.com', name, new Date(now - daysAgo * DAY));
    await note('old and sent', KEPT_DAYS + 1);
    await note('old and given up', KEPT_DAYS + 1);
    await note('old and waiting', KEPT_DAYS + 1);
    await note('sent lately', KEPT_DAYS - 1);
    await db.run(sql`update airalo_notices set due_at = null, sent_at = created_at where body like '%sent%'`);
    await db.run(sql`update airalo_notices set due_at = null where body = 'old and given up'`);
    await airaloNotices.firstAsked(client.partnerId, 'old', new Date(now - DAY - MINUTE), MINUTE);
    await airaloNotices.firstAsked(client.partnerId, 'new', new Date(now - DAY + MINUTE), MINUTE);

    const prune = () => airaloNotices.prune(new Date(now - KEPT_DAYS * DAY), new Date(now - DAY));
    assert.equal(await prune(), 3);
    assert.equal(await prune(), 0);
    const left = await db.query<{ name: string }>(sql`
      select body as name from airalo_notices union all select fingerprint from airalo_repeats order by name`);
    assert.deepEqual(
      left.map(({ name }) => name),
      ['new', 'old and waiting', 'sent lately'],
    );
  });
