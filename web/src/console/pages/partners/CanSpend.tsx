import { Money } from '../../../parts/Money.tsx';
import type { PartnerRow } from '../../api/partners.ts';

/** What the next purchases can cost. A partner that may not buy can spend nothing, whatever its balance. */
export function CanSpend({ of: { status, wallet } }: { of: Pick<PartnerRow, 'status' | 'wallet'> }) {
  if (status === 'active') return <Money amount={wallet.available} />;
  if (status === 'closed') return <span>Nothing</span>;
  return (
    <span>
      Nothing while {status}, else <Money amount={wallet.available} />
    </span>
  );
}
