import type { BalanceAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { numberOf, objectOf, parseObject, signedMicros, textOf } from '../loose.ts';
import type { AiraloClient } from './client.ts';

/** What is left of the account's balance. Accounts without one get an empty list. */
export async function readBalance(client: AiraloClient, deadline: Deadline): Promise<BalanceAnswer> {
  const called = await client.get('/balance', deadline);
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  if (called.status !== 200) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  const { balances } = objectOf(parseObject(called.text).data);
  const { amount, currency } = objectOf(objectOf(balances).availableBalance);
  const usd = numberOf(amount);
  if (usd === null || (textOf(currency) ?? 'USD') !== 'USD')
    return { outcome: 'unavailable', reason: 'the account has no balance in USD' };
  return { outcome: 'balance', balance: signedMicros(usd) };
}
