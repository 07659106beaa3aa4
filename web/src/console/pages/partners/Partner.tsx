import { Alert, Anchor, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { AddressTabs, type TabList } from '../../../parts/AddressTabs.tsx';
import { IconEye } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { post } from '../../../parts/server/calls.ts';
import { Refusal } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { type Partner as OnePartner, partner } from '../../api/partners.ts';
import { paths } from '../../paths.ts';
import { Keys } from './Keys.tsx';
import { Members } from './Members.tsx';
import { MoneyTab } from './MoneyTab.tsx';
import { Overview } from './Overview.tsx';
import { SandboxTab } from './SandboxTab.tsx';
import { Webhooks } from './Webhooks.tsx';

const EVERY_MS = 15_000;

const tabs: TabList<{ of: OnePartner }> = [
  { name: 'overview', label: 'Overview', Content: Overview },
  { name: 'money', label: 'Money', Content: MoneyTab },
  { name: 'keys', label: 'API keys', Content: Keys },
  { name: 'members', label: 'Members', Content: Members },
  { name: 'webhooks', label: 'Webhooks', Content: Webhooks },
  { name: 'sandbox', label: 'Sandbox', Content: SandboxTab },
];

const isUnknown = (error: unknown): boolean => error instanceof Refusal && error.code === 'partner_not_found';

export function Partner() {
  const { id = '' } = useParams();
  const found = useQuery({
    ...partner(id),
    refetchInterval: ({ state }) => (isUnknown(state.error) ? false : EVERY_MS),
  });
  if (isUnknown(found.error))
    return (
      <Page title="Partner not found" back={{ to: paths.partners, label: 'Partners' }}>
        <Text size="sm">There is no partner with this id. Closed partners keep their page, so check the number.</Text>
      </Page>
    );
  return (
    <Loaded query={found} lines={8}>
      {({ partner: of }) => <Detail key={of.id} of={of} />}
    </Loaded>
  );
}

function Detail({ of }: { of: OnePartner }) {
  return (
    <Page
      title={of.name}
      about={`Partner ${of.id} · ${of.email}`}
      back={{ to: paths.partners, label: 'Partners' }}
      actions={of.closed_at === null && <ViewAsPartner id={of.id} />}
    >
      <StatusNotice of={of} />
      {of.is_overdue && of.status === 'active' && (
        <Alert color="red" p="sm">
          Purchases are refused because{' '}
          <Anchor
            component={Link}
            to={`${paths.invoices}?partner=${of.id}&status=overdue`}
            c="inherit"
            underline="always"
            size="sm"
            className="target"
          >
            invoices are overdue
          </Anchor>
          . They are possible again once a payment is recorded.
        </Alert>
      )}
      <AddressTabs tabs={tabs} given={{ of }} isFirstUnnamed />
    </Page>
  );
}

/** What a status other than active means for the partner. */
function StatusNotice({ of: { status } }: { of: OnePartner }) {
  if (status === 'active') return null;
  const { color, text } = {
    suspended: { color: 'yellow', text: 'Purchases are refused. Everything else works, and open orders continue.' },
    disabled: { color: 'red', text: 'Every API call is refused, and members cannot sign in. Open orders continue.' },
    closed: {
      color: 'gray',
      text: 'This account is closed for good. Its orders and money stay on record. Nothing here can be changed, except that its webhooks can be stopped.',
    },
  }[status];
  return (
    <Alert color={color} p="sm">
      {text}
    </Alert>
  );
}

/** Opens the partner's panel as its members see it; nothing can be changed there, and the visit is recorded in the audit log. */
function ViewAsPartner({ id }: { id: number }) {
  const view = useChange(
    () => post('/operator/api/partners/{id}/view', { id }),
    undefined,
    // A page load: the panel is another application.
    () => window.location.assign('/live'),
  );
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEye size={16} />}
        loading={view.isPending}
        onClick={() => view.mutate()}
      >
        See their panel
      </Button>
      <Problem error={view.error} />
    </>
  );
}
