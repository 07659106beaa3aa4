import { type Cents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import type { Wallet } from '../../money/ledger/ledger.ts';
import { type Accrual, partnersToPay, settlements, shadowsOf } from './settle.ts';

export interface Preview {
  readonly looked: number;
  /** False: more is due than one round checks, or a supplier was not asked in time; a settlement pays that, too. */
  readonly isWhole: boolean;
  readonly partners: readonly PreviewedPartner[];
}

const MOST_SHARES = 10_000;

type PartnerWallet = Pick<Wallet, 'partnerId' | 'billingMode' | 'outstanding' | 'cash' | 'promo'> & {
  readonly name: string;
};

/** Adds the shares that were just calculated to those that wait, and splits each partner's as `pay` does. */
export async function previewOf(
  db: Queryable,
  accruals: readonly Accrual[],
  { looked, isWhole }: Pick<Preview, 'looked' | 'isWhole'>,
): Promise<Preview> {
  const ids = new Set([...(await partnersToPay(db)), ...accruals.map(({ sale }) => sale.partnerId)]);
  const wallets = await db.query<PartnerWallet>(sql`
    select partner_id as "partnerId", partners.name, billing_mode as "billingMode", outstanding, cash, promo
    from wallets join partners on partners.id = partner_id where partner_id = any(${[...ids]}) order by partner_id`);
  const partners: PreviewedPartner[] = [];
  let readsAll = true;
  for (const wallet of wallets) {
    const waiting = await shadowsOf(db, wallet.partnerId, MOST_SHARES);
    if (waiting.length === MOST_SHARES) readsAll = false;
    const known = new Set(waiting.map(({ orderId }) => orderId));
    const added = accruals.filter(({ sale }) => sale.partnerId === wallet.partnerId && !known.has(sale.orderId));
    partners.push(previewed(wallet, [...waiting, ...added]));
  }
  return { looked, isWhole: isWhole && readsAll, partners };
}

export type PreviewedPartner = ReturnType<typeof previewed>;

function previewed(wallet: PartnerWallet, shares: readonly { readonly amount: Cents }[]) {
  const paid = settlements(wallet, shares);
  const sum = (pick: (one: (typeof paid)[number]) => Cents) =>
    toCents(paid.reduce((all: bigint, one) => all + pick(one), ZERO));
  const [toDebt, toWallet] = [sum(({ settleDebt }) => settleDebt), sum(({ settleWallet }) => settleWallet)];
  return {
    partnerId: wallet.partnerId,
    name: wallet.name,
    shares: shares.length,
    amount: toCents(toDebt + toWallet),
    /** How it is paid: what it lowers the debt by, and what goes to the wallet. */
    toDebt,
    toWallet,
    outstandingAfter: toCents(wallet.outstanding - toDebt),
    /** Cash and promo credit. */
    balanceAfter: toCents(wallet.cash + wallet.promo + toWallet),
  };
}
