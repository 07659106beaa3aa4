import { useQuery } from '@tanstack/react-query';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { When } from '../../../parts/When.tsx';
import { missingWords } from '../../../subjects/invoices/billing.ts';
import { type Notices as NoticesFound, notices } from '../../api/notices.ts';
import { paths } from '../../paths.ts';
import { AccountNotices } from './AccountNotices.tsx';
import { Notice } from './Notice.tsx';
import { useForgotten } from './useDismissed.ts';
import { WebhookNotices } from './WebhookNotices.tsx';

interface NoticesProps {
  mode: Mode;
  /** The notices that are relevant on this page. */
  about: readonly ('account' | 'billing' | 'topups' | 'webhooks')[];
  /** Where the page has read them already. */
  of?: NoticesFound;
}

/** What needs attention in this world. A notice disappears with its cause; a dismissed one returns when it is about something else. */
export function Notices({ mode, about, of }: NoticesProps) {
  const read = useQuery({ ...notices(mode), enabled: of === undefined }).data;
  const found = of ?? read;
  return found ? <Found mode={mode} about={about} of={found} /> : null;
}

function Found({ mode, about, of: found }: Required<NoticesProps>) {
  const stopped = (isDisabled: boolean) =>
    found.webhooks.flatMap(({ id, is_disabled }) => (is_disabled === isDisabled ? [id] : [])).join(' ') || undefined;
  useForgotten(mode, {
    suspended: found.suspended ? (found.is_overdue ? 'overdue' : 'yes') : undefined,
    credit_used: found.credit_used ? 'yes' : undefined,
    balance_low: found.balance_low?.level,
    failed_topup: found.failed_topup?.payment_key,
    missing_billing_details: found.missing_billing_details.join(' ') || undefined,
    disabled: stopped(true),
    paused: stopped(false),
  });
  return (
    <>
      {about.includes('account') && <AccountNotices mode={mode} of={found} />}
      {about.includes('billing') && <BillingNotice mode={mode} missing={found.missing_billing_details} />}
      {about.includes('topups') && <TopupNotice mode={mode} of={found} />}
      {about.includes('webhooks') && <WebhookNotices mode={mode} of={found} />}
    </>
  );
}

function BillingNotice({ mode, missing }: { mode: Mode; missing: NoticesFound['missing_billing_details'] }) {
  if (missing.length === 0) return null;
  return (
    <Notice
      name="missing_billing_details"
      state={missing.join(' ')}
      mode={mode}
      color="yellow"
      title={`Your invoices lack your ${missingWords(missing)}`}
      links={[{ to: paths.invoices(mode), label: 'Add billing details' }]}
    >
      Invoices that have been issued cannot be changed.
    </Notice>
  );
}

function TopupNotice({ mode, of }: { mode: Mode; of: NoticesFound }) {
  const failed = of.failed_topup;
  if (!failed) return null;
  return (
    <Notice
      name="failed_topup"
      state={failed.payment_key}
      mode={mode}
      color="yellow"
      title="Your last top-up failed"
      links={[{ to: paths.money(mode), label: 'Top up again' }]}
    >
      The card payment of <Money amount={failed.amount} /> failed (<When at={failed.failed_at} exact />
      ). Your wallet was not credited.
    </Notice>
  );
}
