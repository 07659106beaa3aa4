import { Badge, Group, Stack } from '@mantine/core';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { type AccountKind, type Supplier, suppliersKey } from '../../api/service.ts';
import { ago, duration } from '../../durations.ts';
import { useMay } from '../../useMay.ts';
import { CallTable } from './CallTable.tsx';
import { ChangeAccount } from './ChangeAccount.tsx';
import { ChangeItem } from './ChangeItem.tsx';
import { callName } from './call-words.ts';
import { ImportStock } from './ImportStock.tsx';
import { SetBalanceAlert } from './SetBalanceAlert.tsx';
import { SetMarkup } from './SetMarkup.tsx';
import { Stock } from './Stock.tsx';
import { TestCall } from './TestCall.tsx';

interface SupplierSectionProps {
  of: Supplier;
  /** Processes with a heartbeat. */
  processes: number;
  listEveryMs: number;
  /** What an account of its kind consists of; undefined: its kind has none. */
  kind: AccountKind | undefined;
}

export function SupplierSection({ of: it, processes, listEveryMs, kind }: SupplierSectionProps) {
  const may = useMay();
  const isKnown = it.imported_at !== null || it.settings_from === 'database';
  return (
    <Section title={it.title} about={<span className="mono">{it.supplier}</span>} actions={<State of={it} />}>
      <Stack gap="md">
        <Facts
          facts={[
            ['Off since', it.off_since && <At at={it.off_since} />],
            ['While it is off', it.off_since && 'None of its plans are sold; its open orders continue'],
            ['Settings', settingsText(it, processes)],
            ['Address of the API', it.account?.settings.url],
            ['Calls per second', it.account?.settings.calls_per_second],
            ['Notifications go to', notificationsAt(it)],
            ['Last answer', it.last_answer_at && <At at={it.last_answer_at} />],
            ['Last failure', it.last_failure_at && <At at={it.last_failure_at} more={callName(it.last_failed_call)} />],
            ['Breaker', breakerText(it, processes)],
            ['Balance there', balanceText(it)],
            ['Balance alert', kind && isKnown && alertText(it)],
            ['Plans', `${it.on_sale.toLocaleString('en-US')} on sale of ${it.plans.toLocaleString('en-US')}`],
            ['Price list', listText(it, listEveryMs)],
            [
              'Last import failed',
              it.import_error !== null && `${it.import_error} (${ago(it.import_failed_at ?? '')})`,
            ],
            [
              'List prices',
              it.markup_pct === null
                ? 'The supplier’s own'
                : `Cost plus ${Number(it.markup_pct)}%, with the next import`,
            ],
          ]}
        />
        <CallTable of={it} />
        {it.kind === 'stock' && <Stock supplier={it.supplier} />}
        <Group gap="xs" align="flex-start">
          {may('support') && it.configured_in > 0 && <TestCall supplier={it.supplier} />}
          {may('manage') && it.settings_from === 'database' && kind && <ChangeAccount of={it} kind={kind} />}
          {may('manage') && isKnown && <SetMarkup of={it} />}
          {may('manage') && isKnown && kind && <SetBalanceAlert of={it} />}
          {may('manage') && it.kind === 'stock' && <ImportStock supplier={it.supplier} />}
          {may('manage') && it.kind === 'stock' && <ChangeItem />}
          {may('manage') && isKnown && <TurnOff of={it} />}
        </Group>
      </Stack>
    </Section>
  );
}

/** Takes everything of a supplier off sale, or puts it back. */
function TurnOff({ of: { supplier, title, off_since } }: { of: Supplier }) {
  const set = useAction('supplier set', suppliersKey);
  const isOff = off_since !== null;
  const change = { ...set, mutateAsync: () => set.mutateAsync({ supplier, [isOff ? 'on' : 'off']: true }) };
  return isOff ? (
    <ConfirmButton size="xs" label="Switch on" title={`Switch ${title} on`} tone="give" change={change}>
      The plans that were on sale when it was switched off are sold again, except those an import or a person has taken
      off sale since.
    </ConfirmButton>
  ) : (
    <ConfirmButton size="xs" label="Switch off" title={`Switch ${title} off`} change={change}>
      All its plans go off sale at once and out of every route, so nothing new is bought there, refills included. Open
      orders continue, and usage and refunds of delivered eSIMs keep working. You can switch it on again.
    </ConfirmButton>
  );
}

const states = {
  answers: { label: 'Answers', color: 'teal' },
  fails: { label: 'Last call failed', color: 'red' },
  unknown: { label: 'Not called in 24 hours', color: 'gray' },
} as const;

const notConfigured = { label: 'Not configured', color: 'yellow' } as const;

function State({ of: { reach, configured_in, breaker_open_in, off_since } }: { of: Supplier }) {
  const { label, color } = configured_in === 0 ? notConfigured : states[reach];
  return (
    <Group gap="xs">
      {off_since !== null && <Badge color="gray">Off</Badge>}
      {breaker_open_in > 0 && <Badge color="red">Breaker open</Badge>}
      <Badge color={color}>{label}</Badge>
    </Group>
  );
}

const At = ({ at, more }: { at: string; more?: string }) => (
  <>
    <When at={at} />
    {more !== undefined && ` (${more})`}
  </>
);

function settingsText({ configured_in, kind, settings_from, account }: Supplier, processes: number): string {
  if (kind === 'stock') return 'Our own stock: it needs none';
  if (kind === 'simulated') return 'Simulated, for trying things out';
  if (settings_from === 'database')
    return `Added by an operator, changed ${ago(account?.updated_at ?? '')}; every process uses them`;
  if (configured_in === 0)
    return 'Missing in every process: orders for its plans wait until a supplier with this short name is added';
  if (configured_in < processes)
    return `From the environment, only in ${configured_in} of ${count(processes, 'process', 'processes')}`;
  return `From the environment, in ${processes === 1 ? 'the one process there is' : `all ${processes} processes`}`;
}

/** Kinds whose notifications we accept only with this secret. */
const secretNeeded: Readonly<Record<string, string>> = { zendit: 'notify_secret', partner_v3: 'secret' };

/** Where the supplier sends its notifications. eSIM Access signs none, so a secret can end the address. */
function notificationsAt({ supplier, kind, account }: Supplier) {
  const needed = secretNeeded[kind];
  if (!account || (needed && !account.secrets_set.includes(needed))) return null;
  const end = kind === 'esim_access' && account.secrets_set.includes('notify_secret') ? '/SECRET' : '';
  const address = `${window.location.origin}/webhooks/${kind.replaceAll('_', '-')}/${supplier}${end}`;
  return <span className="mono">{address}</span>;
}

const alertText = ({ balance_alert }: Supplier) =>
  balance_alert === null ? (
    'Never'
  ) : (
    <>
      Below <Money amount={balance_alert} />
    </>
  );

function breakerText({ breaker_open_in }: Supplier, processes: number): string {
  if (breaker_open_in === 0) return 'Closed';
  const where = processes === 1 ? '' : ` in ${breaker_open_in} of ${processes} processes (each has its own)`;
  return `Open${where}: its orders are deferred there, except one try every 15 s`;
}

function balanceText({ balance, balance_at }: Supplier) {
  if (balance === null || balance_at === null) return 'Not known';
  return (
    <>
      <Money amount={balance} /> ({ago(balance_at)})
    </>
  );
}

function listText({ imported_at }: Supplier, everyMs: number) {
  const schedule = everyMs === 0 ? 'imported by hand' : `imported every ${duration(everyMs)}`;
  if (imported_at === null) return `Never imported; lists are ${schedule}`;
  return (
    <>
      <When at={imported_at} /> ({schedule})
    </>
  );
}
