import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import type { Notices } from '../../api/notices.ts';
import { paths } from '../../paths.ts';
import { Notice } from './Notice.tsx';

/** Notices about purchases that are refused, or soon will be. */
export function AccountNotices({ mode, of }: { mode: Mode; of: Notices }) {
  const statement = { to: `${paths.money(mode)}?tab=statement`, label: 'See your statement' };
  const topUp =
    mode === 'live'
      ? { to: paths.money(mode), label: 'Top up' }
      : { to: paths.sandboxTools, label: 'Change the test balance' };
  const low = of.balance_low;
  return (
    <>
      {of.suspended && (
        <Notice
          name="suspended"
          state={of.is_overdue ? 'overdue' : 'yes'}
          mode={mode}
          color="red"
          title={of.is_overdue ? 'Your invoices are overdue' : 'Your account is suspended'}
          links={[of.is_overdue ? { to: `${paths.invoices(mode)}?status=overdue`, label: 'See them' } : statement]}
        >
          {of.is_overdue
            ? 'Purchases are refused until your payment is recorded. After that you can buy again at once.'
            : 'Purchases are refused. Contact the operator to reactivate it.'}
        </Notice>
      )}
      {of.credit_used && (
        <Notice
          name="credit_used"
          state="yes"
          mode={mode}
          color="red"
          title="You’ve used your whole credit limit"
          links={[statement]}
        >
          Purchases are refused until a payment is recorded.
        </Notice>
      )}
      {low && (
        <Notice
          name="balance_low"
          state={low.level}
          mode={mode}
          color="yellow"
          title={low.is_credit ? 'Your available credit is low' : 'Your balance is low'}
          links={[low.is_credit ? statement : topUp, { to: paths.settings, label: 'Change the alert level' }]}
        >
          You can spend <Money amount={low.available} />, less than your alert level of <Money amount={low.level} />.
        </Notice>
      )}
    </>
  );
}
