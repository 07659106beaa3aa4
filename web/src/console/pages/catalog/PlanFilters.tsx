import { useQuery } from '@tanstack/react-query';
import type { Filters } from '../../../parts/useFilters.ts';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { choices } from '../../api/catalog.ts';

export const planFilters = ['q', 'supplier', 'destination', 'sale', 'lacking', 'by_hand'] as const;

const sales = [
  { value: 'on', label: 'On sale' },
  { value: 'off', label: 'Not on sale' },
];
const lacks = [
  { value: 'price', label: 'Without a price' },
  { value: 'cost', label: 'Without a cost' },
];
const hands = [{ value: 'yes', label: 'Set by hand' }];

export function PlanFilters({ filters }: { filters: Filters }) {
  const { data } = useQuery(choices);
  const suppliers = (data?.suppliers ?? []).map(({ slug, title }) => ({ value: slug, label: title }));
  const places = (data?.destinations ?? []).map(({ code, title }) => ({ value: code, label: title }));
  return (
    <ListFilters
      list="plans"
      filters={filters}
      fields={[
        { name: 'q', label: 'Search', kind: 'search', placeholder: 'title, country, supplier’s code or plan id' },
        { name: 'supplier', label: 'Supplier', kind: 'choice', choices: suppliers },
        { name: 'destination', label: 'For', kind: 'choice', choices: places },
        { name: 'sale', label: 'Sale', kind: 'choice', choices: sales },
        { name: 'lacking', label: 'Lacks', kind: 'choice', choices: lacks },
        { name: 'by_hand', label: 'Set by', kind: 'choice', choices: hands },
      ]}
    />
  );
}
