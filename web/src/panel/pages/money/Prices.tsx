import { Select, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconTag } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Pager } from '../../../parts/Pager.tsx';
import { Section } from '../../../parts/Section.tsx';
import { destinations, type PricedPlan, pricesIn } from '../../api/prices.ts';

/** What set a price, in words. */
const sourceName: Record<PricedPlan['source'], string> = {
  product: 'Rule for this plan',
  provider: 'Rule for its provider',
  country: 'Rule for the country',
  region: 'Rule for the region',
  account_default: 'Your margin share',
  none: 'No discount',
};

const PER_PAGE = 25;

/** What this account pays for each plan, beside the list price. */
export function Prices({ mode }: { mode: Mode }) {
  const read = useQuery(destinations(mode));
  return (
    <Section title="Your prices" about="Per plan, in US dollars. Search for a destination by its name or code." flush>
      <Loaded query={read}>
        {({ countries }) =>
          countries.length === 0 ? (
            <Empty icon={IconTag} title="The catalog is empty">
              The operator has not imported any plans yet.
            </Empty>
          ) : (
            <InDestination mode={mode} countries={countries} />
          )
        }
      </Loaded>
    </Section>
  );
}

interface InDestinationProps {
  mode: Mode;
  countries: readonly { readonly country_code: string; readonly title: string }[];
}

function InDestination({ mode, countries }: InDestinationProps) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get('destination');
  const known = countries.find(({ country_code }) => country_code === wanted) ?? countries[0];
  const destination = known?.country_code ?? '';
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
  const go = (more: Record<string, string>) => setSearch({ tab: 'prices', destination, ...more }, { replace: true });
  const read = useQuery({
    ...pricesIn(mode, destination, (page - 1) * PER_PAGE, PER_PAGE),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap={0}>
      <Select
        label="Destination"
        searchable
        allowDeselect={false}
        limit={100}
        px="lg"
        pb="md"
        maw={420}
        value={destination}
        data={countries.map(({ country_code, title }) => ({
          value: country_code,
          label: `${title} (${country_code})`,
        }))}
        onChange={(value) => value && go({ destination: value })}
        nothingFoundMessage="No destination of this name"
      />
      <div className="flush">
        <Loaded query={read} lines={6}>
          {({ products, matched }) => (
            <>
              <DataTable
                label={`Your prices, ${count(matched, 'plan')}`}
                columns={columns}
                rows={products}
                rowKey={({ id }) => id}
              />
              <Pager
                page={page}
                perPage={PER_PAGE}
                of={[matched, 'plan']}
                onPage={(next) => go({ page: String(next) })}
              />
            </>
          )}
        </Loaded>
      </div>
    </Stack>
  );
}

const columns: readonly Column<PricedPlan>[] = [
  { label: 'Plan', cell: ({ title }) => title },
  { label: 'Data', cell: ({ data }) => data },
  { label: 'Days', kind: 'figure', cell: ({ day }) => day },
  { label: 'List price', kind: 'figure', cell: ({ price }) => <Money amount={price} /> },
  {
    label: 'Your price',
    kind: 'figure',
    cell: ({ partner_price }) => (
      <b>
        <Money amount={partner_price} />
      </b>
    ),
  },
  { label: 'You save', kind: 'figure', cell: ({ partner_discount }) => <Money amount={partner_discount} /> },
  { label: 'Because of', cell: ({ source }) => sourceName[source] },
];
