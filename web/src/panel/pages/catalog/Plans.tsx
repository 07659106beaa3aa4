import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Choice } from '../../../parts/Choice.tsx';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconPackage } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import type { useFilters } from '../../../parts/useFilters.ts';
import { type DestinationView, type PlanView, plans } from '../../api/catalog.ts';
import { useMay } from '../../useMay.ts';
import { BuyButton } from '../buy/BuyButton.tsx';
import { PlanDetail, planColumns } from './planColumns.tsx';

const kinds = [
  { value: '', label: 'eSIMs and refills' },
  { value: 'esim', label: 'eSIMs' },
  { value: 'refill', label: 'Refills' },
];
const sortings = [
  { value: '', label: 'Your price' },
  { value: 'list_price', label: 'List price' },
  { value: 'data', label: 'Data' },
  { value: 'days', label: 'Validity' },
];

interface PlansProps {
  mode: Mode;
  filters: ReturnType<typeof useFilters>;
  /** Undefined: all destinations are searched. */
  chosen: DestinationView | undefined;
}

const buyColumn = (mode: Mode): Column<PlanView> => ({
  label: 'Buy',
  kind: 'actions',
  // A refill is bought on the page of the eSIM it is added to.
  cell: ({ id, title, is_refill }) => !is_refill && <BuyButton mode={mode} productId={id} title={title} />,
});

export function Plans({ mode, filters: { of, filter }, chosen }: PlansProps) {
  const query = {
    destination: of('destination'),
    search: of('search'),
    kind: of('kind'),
    reach: of('reach'),
    sort: of('sort'),
    page: of('page'),
  };
  const buying = useMay()('buy') ? [buyColumn(mode)] : [];
  const found = useQuery({ ...plans(mode, query), placeholderData: keepPreviousData });
  const choice = (
    <Group gap="xs">
      <NativeSelect
        size="xs"
        aria-label="Kind of plan"
        data={kinds}
        value={query.kind ?? ''}
        onChange={({ currentTarget: { value } }) => filter({ kind: value, page: undefined })}
      />
      <NativeSelect
        size="xs"
        aria-label="Sort by"
        data={sortings.map(({ value, label }) => ({ value, label: `Sort by ${label.toLowerCase()}` }))}
        value={query.sort ?? ''}
        onChange={({ currentTarget: { value } }) => filter({ sort: value, page: undefined })}
      />
    </Group>
  );
  return (
    <Section title="Plans" actions={choice} flush>
      {chosen?.scope === 'country' && (
        <Group px="lg" pb="md">
          <Choice
            isSmall
            label="Which plans"
            value={query.reach ?? ''}
            options={[
              { value: '', label: `For ${chosen.title}` },
              { value: 'wider', label: 'Regional and global' },
            ]}
            onChange={(reach) => filter({ reach, page: undefined })}
          />
        </Group>
      )}
      <Loaded query={found} lines={6}>
        {({ plans: rows, total, page, per_page, retail_currency }) => (
          <>
            {rows.length > 0 ? (
              <DataTable
                label="Plans"
                columns={[...planColumns(chosen === undefined || query.reach === 'wider', retail_currency), ...buying]}
                rows={rows}
                rowKey={({ id }) => id}
                more={{ about: ({ title }) => title, content: (plan) => <PlanDetail of={plan} /> }}
              />
            ) : (
              <Empty icon={IconPackage} title={page > 1 ? 'No more plans' : 'No plan matches'}>
                {query.search && 'A plan must contain every word you typed.'}
              </Empty>
            )}
            <Group justify="flex-end" gap="xs" p="lg" pt="md" component="nav" aria-label="Pages of plans">
              <Text size="sm" c="dimmed" mr="xs" className="num">
                {count(total, 'plan')}
                {total > per_page && `, page ${page} of ${Math.ceil(total / per_page)}`}
              </Text>
              {total > per_page && (
                <>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={page === 1}
                    onClick={() => filter({ page: String(page - 1) })}
                  >
                    Previous
                  </Button>
                  <Button
                    size="xs"
                    variant="default"
                    disabled={page * per_page >= total}
                    onClick={() => filter({ page: String(page + 1) })}
                  >
                    Next
                  </Button>
                </>
              )}
            </Group>
          </>
        )}
      </Loaded>
    </Section>
  );
}
