import { Anchor, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { DatabaseView } from '../../../../../src/entry/console/system/system.ts';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { database } from '../../api/service.ts';
import { duration } from '../../durations.ts';
import { paths } from '../../paths.ts';

const EVERY_MS = 30_000;

export function Database() {
  const found = useQuery({ ...database, refetchInterval: EVERY_MS });
  return (
    <Section title="Database" about="Its size, and the work waiting in it. Row counts are the server’s own estimates.">
      <Loaded query={found} lines={6}>
        {(it) => (
          <Stack>
            <Facts
              facts={[
                ['PostgreSQL', it.server],
                ['Size', size(it.bytes)],
                ['Ledger', <Proved key="proved" of={it.proved} />],
                ...it.figures.map((one) => [figureName(one), figureText(one)] as const),
              ]}
            />
            <DataTable label="Largest tables" columns={columns} rows={it.tables} rowKey={({ table }) => table} />
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Proved({ of }: { of: DatabaseView['proved'] }) {
  return (
    <Anchor component={Link} to={`${paths.money}?tab=ledger`} size="sm">
      {of === null ? (
        'Never proved'
      ) : (
        <>
          {of.ok ? 'Proved' : 'Does not add up: found'} <When at={of.at} exact />
        </>
      )}
    </Anchor>
  );
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

function size(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${value >= 100 || step === 0 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}

type Figure = DatabaseView['figures'][number];

const names: Readonly<Record<string, string>> = {
  webhook_backlog: 'Deliveries waiting',
  webhook_held: 'Deliveries held by stopped subscriptions',
  webhook_disabled: 'Subscriptions disabled after failures',
  webhook_dead: 'Dead deliveries, discarded ones included',
  webhook_oldest_due_seconds: 'Oldest delivery overdue by',
  orders_deferred: 'Orders deferred',
  orders_overdue: 'Orders overdue',
  orders_held: 'Orders held',
  card_payments_open: 'Card payments open',
  mails: 'Mails',
  mail_oldest_seconds: 'Oldest mail waits for',
};

/** The last part of a gauge's name is a world, or the state of the mails. */
function figureName({ gauge, of }: Figure): string {
  const name = names[gauge] ?? gauge;
  return gauge === 'mail_oldest_seconds' ? name : `${name}${gauge === 'mails' ? ' ' : ', '}${of}`;
}

/** Counting stops at this number. */
const MOST = 100_000;

const figureText = ({ gauge, value }: Figure): string => {
  if (gauge.endsWith('_seconds')) return value === 0 ? 'Nothing waits' : duration(value * 1000);
  return value >= MOST ? `${MOST.toLocaleString('en-US')} or more` : value.toLocaleString('en-US');
};

const columns: readonly Column<DatabaseView['tables'][number]>[] = [
  { label: 'Largest tables', cell: ({ table }) => <span className="mono">{table}</span> },
  {
    label: 'Rows',
    kind: 'figure',
    card: 'fact',
    cell: ({ rows }) => <span className="num">{rows === null ? 'Not estimated yet' : count(rows, 'row')}</span>,
  },
  {
    label: 'With indexes',
    kind: 'figure',
    card: 'fact',
    cell: ({ bytes }) => <span className="num">{size(bytes)}</span>,
  },
];
