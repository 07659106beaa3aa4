import { Button, Group, Progress, Text } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconWorld } from '../../../parts/icons.ts';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { share, whole } from '../../../subjects/insight/words.ts';
import type { OrdersInsight, SpendInsight } from '../../api/insight.ts';

type Row = OrdersInsight['destinations'][number] & {
  readonly spent: string | undefined;
  readonly margin: string | null;
};
const SHOWN = 10;

/** The destinations that sell best. `spend` is not given to those who may not see money. */
export function Destinations({ of: orders, spend }: { of: OrdersInsight; spend: SpendInsight | undefined }) {
  const [isAll, setAll] = useState(false);
  const moneyOf = new Map(spend?.destinations.map((one) => [one.code, one]));
  const rows = orders.destinations.map((one): Row => {
    const money = moneyOf.get(one.code);
    return { ...one, spent: money?.spent, margin: money?.margin ?? null };
  });
  const most = rows[0]?.orders ?? 0;
  return (
    <Section title="Top destinations" flush>
      {rows.length === 0 ? (
        <Empty icon={IconWorld} title="No orders in these days" />
      ) : (
        <DataTable
          label="Top destinations"
          columns={columns(most, spend !== undefined, spend?.retail != null)}
          rows={isAll ? rows : rows.slice(0, SHOWN)}
          rowKey={({ code }) => code}
        />
      )}
      {rows.length > SHOWN && (
        <Group p="lg" pt="md">
          <Button size="xs" variant="default" onClick={() => setAll(!isAll)}>
            {isAll ? `Show the first ${SHOWN}` : `Show all ${rows.length}`}
          </Button>
        </Group>
      )}
    </Section>
  );
}

const columns = (most: number, seesMoney: boolean, hasRetail: boolean): Column<Row>[] => [
  {
    label: 'Destination',
    cell: ({ code, title }) => (
      <Group gap="xs" wrap="nowrap">
        <img src={`/flags/${code.toLowerCase()}.svg`} width={20} height={15} alt="" className="flag" />
        <Text size="sm" span>
          {title}
        </Text>
      </Group>
    ),
  },
  {
    label: 'Orders',
    kind: 'figure',
    cell: ({ orders }) => (
      <Group gap="sm" wrap="nowrap" justify="flex-end">
        <Progress value={(orders / most) * 100} w={120} size="sm" aria-hidden="true" visibleFrom="sm" />
        <Text size="sm" span className="num" miw="3rem" ta="right">
          {whole(orders)}
        </Text>
      </Group>
    ),
  },
  {
    label: 'Delivered',
    kind: 'figure',
    cell: ({ delivered, failed }) => <span className="num">{share(delivered, delivered + failed)}</span>,
  },
  ...(seesMoney
    ? [
        {
          label: 'Spend',
          kind: 'figure',
          cell: ({ spent }: Row) => (spent === undefined ? '–' : <Money amount={spent} />),
        } as const,
      ]
    : []),
  ...(hasRetail
    ? [
        {
          label: 'Your margin',
          kind: 'figure',
          cell: ({ margin }: Row) => (margin === null ? '–' : <Money amount={margin} />),
        } as const,
      ]
    : []),
];
