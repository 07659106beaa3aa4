import type { BalanceAnswer } from '../../port/port.ts';
import type { JsonClient } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { parseObject } from '../loose.ts';
import { microsOfMinor } from './money.ts';

export async function readBalance(client: JsonClient, deadline: Deadline): Promise<BalanceAnswer> {
  const called = await client.get('/balance', deadline);
  if ('failed' in called) return { outcome: 'unavailable', reason: called.failed };
  if (called.status !== 200) return { outcome: 'unavailable', reason: `HTTP ${called.status}` };
  const { availableBalance, currency, currencyDivisor } = parseObject(called.text);
  const balance = microsOfMinor(availableBalance, currency, currencyDivisor);
  if (balance === null) return { outcome: 'unavailable', reason: 'no balance in USD in the answer' };
  return { outcome: 'balance', balance };
}
