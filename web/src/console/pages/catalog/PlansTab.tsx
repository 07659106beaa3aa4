import { Badge, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconSearch } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { type PlanRow, plans } from '../../api/catalog.ts';
import { paths } from '../../paths.ts';
import { Cost } from './Cost.tsx';
import { PlanFilters, planFilters } from './PlanFilters.tsx';

export function PlansTab() {
  const filters = useFilters();
  const { of, goBefore } = filters;
  const filter = Object.fromEntries([...planFilters, 'before'].map((name) => [name, of(name)]));
  const isFiltered = planFilters.some(of);
  const found = useQuery({ ...plans(filter), placeholderData: keepPreviousData });
  return (
    <Section title="Plans" about={found.data && `${count(found.data.matched, 'plan')}, newest first.`} flush>
      <PlanFilters filters={filters} />
      <Loaded query={found} lines={8}>
        {({ plans: rows, has_more }) => (
          <>
            {rows.length === 0 ? (
              <Empty icon={IconSearch} title={isFiltered ? 'No plan matches' : 'The catalog is empty'}>
                {!isFiltered && 'Import a supplier’s list under Imports.'}
              </Empty>
            ) : (
              <DataTable label="Plans" columns={columns} rows={rows} rowKey={({ product_id }) => product_id} />
            )}
            <OlderPager
              shown={[rows.length, 'plan']}
              isFurther={of('before') !== undefined}
              hasMore={has_more}
              onNewest={() => goBefore(undefined)}
              onOlder={() => goBefore(rows.at(-1)?.internal_id)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<PlanRow>[] = [
  {
    label: 'Plan',
    cell: ({ title, product_id, is_refill }) => (
      <Stack gap={2} maw={280}>
        <Group gap="xs">
          <Text size="sm" span>
            {title}
          </Text>
          {is_refill && <Badge color="gray">Refill</Badge>}
        </Group>
        <RowLink to={paths.plan(product_id)}>{product_id}</RowLink>
      </Stack>
    ),
  },
  { label: 'For', cell: ({ destination_title }) => destination_title },
  { label: 'Data', cell: ({ data, days }) => `${data}, ${count(days, 'day')}` },
  {
    label: 'Supplier',
    cell: ({ supplier, supplier_plan }) => (
      <Stack gap={0} maw={200} style={{ overflowWrap: 'anywhere' }}>
        <span>{supplier}</span>
        <Text size="xs" c="dimmed" span className="mono">
          {supplier_plan}
        </Text>
      </Stack>
    ),
  },
  { label: 'State', cell: (plan) => <SaleState plan={plan} /> },
  { label: 'Cost', kind: 'figure', cell: ({ cost }) => (cost === null ? 'Unknown' : <Cost amount={cost} />) },
  {
    label: 'List price',
    kind: 'figure',
    cell: ({ price }) => (Number(price) === 0 ? 'None' : <Money amount={price} />),
  },
];

export function SaleState({
  plan: { on_sale, price, by_hand },
}: {
  plan: Pick<PlanRow, 'on_sale' | 'price' | 'by_hand'>;
}) {
  return (
    <Group gap={4}>
      {on_sale && Number(price) > 0 ? (
        <Badge color="teal">On sale</Badge>
      ) : (
        <Badge color="gray">{on_sale ? 'No price' : 'Not on sale'}</Badge>
      )}
      {by_hand.length > 0 && <Badge color="yellow">By hand</Badge>}
    </Group>
  );
}
