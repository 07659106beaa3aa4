import type { Mode } from '../../../src/platform/contract/mode.ts';
import { eventually } from '../eventually.ts';
import type { TestApp } from '../program/app.ts';
import { run } from '../program/operator.ts';
import { credit } from './shop.ts';

/** A partner with money, and a key in one world that may call as often as it likes. */
export interface Spender {
  readonly partnerId: number;
  readonly keyId: number;
  readonly key: string;
}

export async function spender(t: TestApp, mode: Mode = 'live', of?: number): Promise<Spender> {
  const partnerId = of ?? (await t.partner());
  const { key, key_id: keyId } = await run(t.operator(), `key create --partner ${partnerId} --mode ${mode}`);
  await run(t.operator(), `key set ${keyId} --ceilings purchase=1000000,read=1000000`);
  // A gift: a top-up would change the price.
  if (mode === 'live' && of === undefined) await credit(t, partnerId, '10000.00', 'promo');
  return { partnerId, keyId, key };
}

/** Sets the limits of a key or its partner, and waits until each of these processes knows them. */
export async function setLimits(
  { partnerId, keyId, key }: Spender,
  scope: 'key' | 'partner',
  limits: readonly string[],
  ...[t, ...others]: [TestApp, ...TestApp[]]
): Promise<void> {
  const subject = scope === 'key' ? `key set ${keyId}` : `partner set ${partnerId}`;
  const options = (limits.length === 0 ? ['none'] : limits).flatMap((limit) => ['--limit', limit]);
  await run(t.operator(), [...subject.split(' '), ...options]);
  for (const app of [t, ...others])
    await eventually('the limits are known', async () => {
      const { body } = await app.get('/account/limits', { key });
      const known = body.limits.filter((limit: { scope: string }) => limit.scope === scope).map(textOf);
      return known.join() === limits.join();
    });
}

const textOf = ({ per, amount, count }: { per: string; amount: number | null; count: number | null }) =>
  `${per}=${amount === null ? `${count}x` : amount.toFixed(2)}`;
