import type { BalanceAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { listOf, numberOf, parseObject, signedMicros, textOf } from '../loose.ts';
import type { EsimGoClient } from './client.ts';
import { noAnswer } from './refusals.ts';

/** The account, or why it could not be read. Its answer contains the key, so nothing else of it leaves this file. */
async function readOrganisation(client: EsimGoClient, deadline: Deadline, signal?: AbortSignal) {
  const called = await client.get('/organisation', deadline, signal ? { signal } : {});
  if ('failed' in called || called.status !== 200) return noAnswer(called);
  const answer = parseObject(called.text);
  const [organisation = answer] = listOf(answer.organisations) ?? [];
  return { currency: textOf(organisation.currency), balance: numberOf(organisation.balance) };
}

/** The currency of every price: prices do not name one. Throws when it cannot be read. */
export async function currencyOf(client: EsimGoClient, deadline: Deadline, signal: AbortSignal): Promise<string> {
  const organisation = await readOrganisation(client, deadline, signal);
  if ('outcome' in organisation) throw new Error(`no account: ${organisation.reason}`);
  if (organisation.currency === null) throw new Error('the account names no currency');
  return organisation.currency;
}

export async function readBalance(client: EsimGoClient, deadline: Deadline): Promise<BalanceAnswer> {
  const organisation = await readOrganisation(client, deadline);
  if ('outcome' in organisation) return { outcome: 'unavailable', reason: organisation.reason };
  const { currency, balance } = organisation;
  if (balance === null) return { outcome: 'unavailable', reason: 'no balance in the answer' };
  if ((currency ?? 'USD') !== 'USD') return { outcome: 'unavailable', reason: 'the account is not in USD' };
  return { outcome: 'balance', balance: signedMicros(balance) };
}
