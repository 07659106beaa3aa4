import { Badge, Group, Stack } from '@mantine/core';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { Supplier } from '../../api/service.ts';
import { ago, duration } from '../../durations.ts';
import { useMay } from '../../useMay.ts';
import { CallTable } from './CallTable.tsx';
import { ChangeItem } from './ChangeItem.tsx';
import { callName } from './call-words.ts';
import { ImportStock } from './ImportStock.tsx';
import { SetMarkup } from './SetMarkup.tsx';
import { Stock } from './Stock.tsx';
import { TestCall } from './TestCall.tsx';

interface SupplierSectionProps {
  of: Supplier;
  /** Processes with a heartbeat. */
  processes: number;
  listEveryMs: number;
}

export function SupplierSection({ of: it, processes, listEveryMs }: SupplierSectionProps) {
  const may = useMay();
  return (
    <Section title={it.title} about={<span className="mono">{it.supplier}</span>} actions={<State of={it} />}>
      <Stack gap="md">
        <Facts
          facts={[
            ['Settings', settingsText(it, processes)],
            ['Last answer', it.last_answer_at && <At at={it.last_answer_at} />],
            ['Last failure', it.last_failure_at && <At at={it.last_failure_at} more={callName(it.last_failed_call)} />],
            ['Breaker', breakerText(it, processes)],
            ['Balance there', balanceText(it)],
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
                : `Cost plus ${Number(it.markup_pct)}%, from the next import on`,
            ],
          ]}
        />
        <CallTable of={it} />
        {it.kind === 'stock' && <Stock supplier={it.supplier} />}
        <Group gap="xs" align="flex-start">
          {may('support') && it.configured_in > 0 && <TestCall supplier={it.supplier} />}
          {may('manage') && it.imported_at !== null && <SetMarkup of={it} />}
          {may('manage') && it.kind === 'stock' && <ImportStock supplier={it.supplier} />}
          {may('manage') && it.kind === 'stock' && <ChangeItem />}
        </Group>
      </Stack>
    </Section>
  );
}

const states = {
  answers: { label: 'Answers', color: 'teal' },
  fails: { label: 'Last call failed', color: 'red' },
  unknown: { label: 'Not called in 24 hours', color: 'gray' },
} as const;

function State({ of: { reach, configured_in, breaker_open_in } }: { of: Supplier }) {
  if (configured_in === 0) return <Badge color="yellow">Not configured</Badge>;
  const { label, color } = states[reach];
  return (
    <Group gap="xs">
      {breaker_open_in > 0 && <Badge color="red">Breaker open</Badge>}
      <Badge color={color}>{label}</Badge>
    </Group>
  );
}

const At = ({ at, more }: { at: string; more?: string }) => (
  <>
    <When at={at} /> ({more === undefined ? ago(at) : `${more}, ${ago(at)}`})
  </>
);

function settingsText({ configured_in, kind }: Supplier, processes: number): string {
  if (kind === 'stock') return 'Our own stock: it needs none';
  if (kind === 'simulated') return 'Simulated, for trying things out';
  if (configured_in === 0) return 'Missing in every process: orders for its plans wait';
  if (configured_in < processes) return `Only in ${configured_in} of ${count(processes, 'process', 'processes')}`;
  return processes === 1 ? 'In the one process there is' : `In all ${processes} processes`;
}

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
      <When at={imported_at} /> ({ago(imported_at)}; {schedule})
    </>
  );
}
