import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';

export type Channel = 'wallet' | 'debt' | 'split' | 'none';

/** The debt a share can reduce: what a postpaid account owes now, nothing for a prepaid one. */
export function reducibleDebt(billingMode: 'prepaid' | 'postpaid', outstanding: Cents): Cents {
  return billingMode === 'postpaid' && outstanding > 0n ? outstanding : ZERO;
}

export interface Settlement {
  readonly channel: Channel;
  readonly settleDebt: Cents;
  readonly settleWallet: Cents;
}

/** Debt first, the rest to the wallet. A share is never paid out. */
export function settlementOf(amount: Cents, debt: Cents): Settlement {
  const settleDebt = debt < amount ? debt : amount;
  const settleWallet = toCents(amount - settleDebt);
  return { channel: channelOf(settleDebt, settleWallet), settleDebt, settleWallet };
}

function channelOf(settleDebt: Cents, settleWallet: Cents): Channel {
  if (settleDebt === 0n && settleWallet === 0n) return 'none';
  if (settleDebt === 0n) return 'wallet';
  return settleWallet === 0n ? 'debt' : 'split';
}
