import { useQuery } from '@tanstack/react-query';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { When } from '../../../parts/When.tsx';
import { type Notices as Found, notices } from '../../api/notices.ts';
import { paths } from '../../paths.ts';
import { AccountNotices } from './AccountNotices.tsx';
import { Notice } from './Notice.tsx';
import { WebhookNotices } from './WebhookNotices.tsx';

interface NoticesProps {
  mode: Mode;
  /** What matters on this page. */
  about: readonly ('account' | 'topups' | 'webhooks')[];
}

/** What needs attention in this world. A notice goes when its cause does; it cannot be closed. */
export function Notices({ mode, about }: NoticesProps) {
  const found = useQuery(notices(mode)).data;
  if (!found) return null;
  return (
    <>
      {about.includes('account') && <AccountNotices mode={mode} of={found} />}
      {about.includes('topups') && <TopupNotice mode={mode} of={found} />}
      {about.includes('webhooks') && <WebhookNotices mode={mode} of={found} />}
    </>
  );
}

function TopupNotice({ mode, of }: { mode: Mode; of: Found }) {
  const failed = of.failed_topup;
  if (!failed) return null;
  return (
    <Notice color="yellow" title="Your last top-up failed" links={[{ to: paths.money(mode), label: 'Top up again' }]}>
      The card payment of <Money amount={failed.amount} /> failed (<When at={failed.failed_at} /> UTC). Your wallet was
      not credited.
    </Notice>
  );
}
