import { type BuyOutcome, limitValues } from '../../../../domains/sales/purchase/purchase.ts';
import { type Cents, centsToNumber, toCents } from '../../../../platform/amounts/cents.ts';
import type { WorldCodes } from '../../../../platform/contract/codes.ts';
import { type Failure, fail, failBecause } from '../../../../platform/contract/failure.ts';
import { limitBody } from '../../../../platform/contract/resources.ts';

/** The contract's answer to a purchase that ended without an order to show. */
export function refusalOf(
  refused: Exclude<BuyOutcome, { outcome: 'bought' }>,
  { price, codes }: { price: Cents; codes: WorldCodes },
): Failure {
  const required = centsToNumber(price);
  switch (refused.outcome) {
    case 'withdrawn':
      return failBecause('invalid_refill', 'cancelled');
    case 'esim_gone':
      return fail('esim_not_found');
    case 'late':
    // Only what a rule buys, for which no request waits.
    case 'rule_changed':
      return fail('service_unavailable');
    case 'suspended':
      return fail('partner_account_suspended', { billing_mode: refused.billingMode, status: 2 });
    case 'price_changed':
      return fail('price_changed', {
        partner_price: centsToNumber(refused.price),
        max_price: centsToNumber(refused.ceiling),
      });
    case 'limit_exceeded':
      return fail('limit_exceeded', { limit: limitBody(limitValues(refused.limit)) });
    case 'no_room': {
      const order_id = Number(refused.orderId ?? 0n);
      const { shortfall } = refused;
      return shortfall.code === 'insufficient_balance'
        ? fail('insufficient_balance', { balance: centsToNumber(shortfall.balance), required, order_id })
        : fail('credit_limit_exceeded', { ...creditOf(shortfall), required, order_id });
    }
    case 'credit_refused':
      return fail('credit_charge_failed', {
        billing_mode: 'postpaid',
        ...creditOf(refused.wallet),
        required,
        order_id: Number(refused.orderId ?? 0n),
        reason: 'ledger_write_failed',
      });
    case 'not_written':
      return fail(codes.balanceWrite ?? codes.orderInsert);
    case 'key_conflict':
      return fail('idempotency_key_conflict');
    case 'outdated':
      return fail('charge_in_progress', { order_id: null, ...openChargeOf(refused.wallet) });
    case 'charge_in_progress': {
      const order_id = refused.orderId === undefined ? null : Number(refused.orderId);
      return fail('charge_in_progress', { order_id, ...openChargeOf(refused.wallet) });
    }
    case 'charge_incomplete':
      return fail('charge_incomplete', { order_id: Number(refused.orderId), ...openChargeOf(refused.wallet) });
  }
}

const creditOf = ({ outstanding, creditLimit }: { outstanding: Cents; creditLimit: Cents }) => ({
  outstanding: centsToNumber(outstanding),
  credit_limit: centsToNumber(creditLimit),
  available: centsToNumber(toCents(creditLimit - outstanding)),
});

const openChargeOf = (wallet: { billingMode: 'prepaid' | 'postpaid'; outstanding: Cents }) => ({
  billing_mode: wallet.billingMode,
  outstanding: centsToNumber(wallet.outstanding),
});
