import { Anchor, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import type { useFilters } from '../../../parts/useFilters.ts';
import { duration, share, whole } from '../../../subjects/insight/words.ts';
import type { SalesRow, SalesView } from '../../api/home.ts';

type Kind = 'partner' | 'supplier' | 'destination';
const kinds: readonly { kind: Kind; label: string }[] = [
  { kind: 'partner', label: 'Partners' },
  { kind: 'supplier', label: 'Suppliers' },
  { kind: 'destination', label: 'Destinations' },
];

/** The same figures by partner, supplier and destination. Each row narrows the charts to itself. */
export function SalesBy({ of, filter }: { of: SalesView; filter: ReturnType<typeof useFilters>['filter'] }) {
  const [kind, setKind] = useState<Kind>('partner');
  const more = { partner: of.more_partners, supplier: 0, destination: of.more_destinations }[kind];
  const label = kinds.find((one) => one.kind === kind)?.label ?? '';
  return (
    <Section title="Sales by" about="Those with the most orders first. Choose one to see its charts.">
      <Tabs value={kind} onChange={(value) => setKind((value as Kind | null) ?? 'partner')}>
        <Tabs.List>
          {kinds.map((one) => (
            <Tabs.Tab key={one.kind} value={one.kind}>
              {one.label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={kind}>
          <DataTable
            label={`Sales by ${kind}`}
            columns={columns(label.slice(0, -1), (key) => filter({ [kind]: key }))}
            rows={of[`${kind}s`]}
            rowKey={({ key }) => key}
          />
          {more > 0 && (
            <Text size="sm" c="dimmed" mt="sm">
              {count(more, `more ${kind}`)} with fewer orders {more === 1 ? 'is' : 'are'} not listed, and counted above.
            </Text>
          )}
        </Tabs.Panel>
      </Tabs>
    </Section>
  );
}

const columns = (name: string, choose: (key: string) => void): Column<SalesRow>[] => [
  {
    label: name,
    cell: ({ key, title }) => (
      <Anchor component="button" type="button" size="sm" ta="left" className="target" onClick={() => choose(key)}>
        {title}
      </Anchor>
    ),
  },
  { label: 'Orders', kind: 'figure', cell: ({ orders }) => <span className="num">{whole(orders)}</span> },
  {
    label: 'Delivered',
    kind: 'figure',
    cell: ({ delivered, failed }) => <span className="num">{share(delivered, delivered + failed)}</span>,
  },
  {
    label: 'Average time',
    kind: 'figure',
    cell: ({ average_seconds }) => <span className="num">{duration(average_seconds)}</span>,
  },
  { label: 'Revenue', kind: 'figure', cell: ({ revenue }) => <Money amount={revenue} /> },
  {
    label: 'Margin',
    kind: 'figure',
    cell: ({ margin, margin_pct }) => (
      <>
        <Money amount={margin} />
        {margin_pct !== null && (
          <Text span size="xs" c="dimmed" className="num">
            {' '}
            {margin_pct}%
          </Text>
        )}
      </>
    ),
  },
];
