import { useQuery } from '@tanstack/react-query';
import type { Mode } from '../../../parts/mode.ts';
import { notices } from '../../api/notices.ts';
import { AccountNotices } from './AccountNotices.tsx';
import { TopupNotice } from './TopupNotice.tsx';
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
