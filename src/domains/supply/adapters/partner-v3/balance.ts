import type { BalanceAnswer } from '../../port/port.ts';
import type { Deadline } from '../deadline.ts';
import { numberOf, objectOf, signedMicros, textOf } from '../loose.ts';
import type { PartnerClient } from './client.ts';
import { troubleOf, troubleText } from './refusals.ts';

/** What our account there can still spend: its wallet, or on invoice terms what is left of its credit line. */
export async function readBalance(client: PartnerClient, deadline: Deadline): Promise<BalanceAnswer> {
  const wayfare = client.within(deadline);
  try {
    const [wallet, terms] = await Promise.all([wayfare.account.balance(), creditLeft()]);
    const left = terms ?? numberOf(objectOf(wallet).balance);
    if (left === null) return { outcome: 'unavailable', reason: 'no balance in the answer' };
    return { outcome: 'balance', balance: signedMicros(left) };
  } catch (thrown) {
    return { outcome: 'unavailable', reason: troubleText(troubleOf(thrown)) };
  }

  /** Undefined: the account is prepaid. An account that was never opened is, too. */
  async function creditLeft(): Promise<number | undefined> {
    const statement = await wayfare.account.statement({ limit: 1 }).catch((thrown: unknown) => {
      const trouble = troubleOf(thrown);
      if ('code' in trouble && trouble.status === 404) return {};
      throw thrown;
    });
    const { billing_mode, available } = objectOf(statement);
    return textOf(billing_mode) === 'postpaid' ? (numberOf(available) ?? undefined) : undefined;
  }
}
