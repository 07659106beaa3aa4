import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { When } from '../../../parts/When.tsx';
import type { Notices } from '../../api/notices.ts';
import { paths } from '../../paths.ts';
import { Notice } from './Notice.tsx';

export function TopupNotice({ mode, of }: { mode: Mode; of: Notices }) {
  const failed = of.failed_topup;
  if (!failed) return null;
  return (
    <Notice color="yellow" title="Your last top-up failed" links={[{ to: paths.money(mode), label: 'Top up again' }]}>
      The card payment of <Money amount={failed.amount} /> failed (<When at={failed.failed_at} /> UTC). Your wallet was
      not credited.
    </Notice>
  );
}
