import { Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { FilterChips } from '../../../parts/FilterChips.tsx';
import { IconRoute } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { type RouteView, routes } from '../../api/routes.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { AutoRoutes } from './AutoRoutes.tsx';
import { ClearRoute } from './ClearRoute.tsx';
import { EditRoute } from './EditRoute.tsx';
import { AlternateList, firstSupplier, Limit } from './RouteFacts.tsx';

export function Routes() {
  const filters = useFilters();
  const { of, goBefore } = filters;
  const mayChange = useMay()('manage');
  const filter = { q: of('q'), before: of('before') };
  const found = useQuery({ ...routes(filter), placeholderData: keepPreviousData });
  return (
    <Page
      title="Routes"
      about="Who delivers a plan when its own supplier does not: it refuses, does not answer, or is out of balance or stock."
    >
      <Section
        title="Routes of plans"
        about={found.data && found.data.matched > 0 && `${count(found.data.matched, 'route')}, newest plans first.`}
        actions={mayChange && <EditRoute />}
        flush
      >
        <FilterChips
          filters={filters}
          fields={[{ name: 'q', label: 'Search', kind: 'search', placeholder: 'title, supplier or plan id' }]}
        />
        <Loaded query={found} lines={5}>
          {({ routes: rows, has_more }) => (
            <>
              {rows.length === 0 ? (
                <Empty icon={IconRoute} title={filter.q === undefined ? 'No routes yet' : 'No route matches'}>
                  {filter.q === undefined &&
                    'Each plan is delivered by its own supplier only, except where automatic routes are on.'}
                </Empty>
              ) : (
                <DataTable
                  label="Routes of plans"
                  columns={columns(mayChange)}
                  rows={rows}
                  rowKey={({ product_id }) => product_id}
                />
              )}
              <OlderPager
                shown={[rows.length, 'route']}
                isFurther={filter.before !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.product_id)}
              />
            </>
          )}
        </Loaded>
      </Section>
      {found.data && <AutoRoutes of={found.data} />}
    </Page>
  );
}

const columns = (mayChange: boolean): Column<RouteView>[] => [
  {
    label: 'Plan',
    cell: ({ product_id, title, supplier }) => (
      <Stack gap={2} maw={240}>
        <Text size="sm" span>
          {title} ({supplier})
        </Text>
        <RowLink to={paths.plan(product_id)}>{product_id}</RowLink>
      </Stack>
    ),
  },
  { label: 'Alternates', card: 'line', cell: (route) => <AlternateList of={route} /> },
  { label: 'Asked first', cell: firstSupplier },
  { label: 'May cost', cell: (route) => <Limit of={route} /> },
  ...(mayChange
    ? [
        {
          label: 'Actions',
          kind: 'actions' as const,
          cell: ({ product_id, title }: RouteView) => (
            <Group gap="xs" wrap="nowrap">
              <EditRoute productId={product_id} title={title} />
              <ClearRoute productId={product_id} title={title} />
            </Group>
          ),
        },
      ]
    : []),
];
