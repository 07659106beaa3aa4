import { toMicros } from '../../../../platform/amounts/cents.ts';
import type { BalanceAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { numberOf, objectOf, wholeNumber } from '../loose.ts';
import type { EsimAccessClient } from './client.ts';
import { MICROS_PER_UNIT } from './units.ts';

export async function readBalance(client: EsimAccessClient, deadline: Deadline): Promise<BalanceAnswer> {
  const answer = await client.post('/balance/query', {}, deadline);
  if (answer.said === 'no') return { outcome: 'unavailable', reason: `code ${answer.code}` };
  if (answer.said !== 'yes') return { outcome: 'unavailable', reason: answer.reason };
  const units = numberOf(objectOf(answer.obj).balance);
  if (units === null) return { outcome: 'unavailable', reason: 'no balance in the answer' };
  return { outcome: 'balance', balance: toMicros(wholeNumber(units) * MICROS_PER_UNIT) };
}
