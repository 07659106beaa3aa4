import type { ReactNode } from 'react';
import { FilterChips, type FilterField } from '../../parts/FilterChips.tsx';
import type { Filters } from '../../parts/useFilters.ts';
import { SavedViews } from './SavedViews.tsx';
import { useViewsAt } from './useViewsAt.ts';

interface ListFiltersProps {
  /** The list's own name, under which its views are saved. */
  list: string;
  filters: Pick<Filters, 'of' | 'filter'>;
  fields: readonly FilterField[];
  /** What a view keeps, by the names in the address, where these are not those of the fields. */
  names?: readonly string[];
  /** Further filters that are not chips. */
  children?: ReactNode;
}

/** Every list's filters, and the views that were saved of them. */
export function ListFilters({ list, filters, fields, names, children }: ListFiltersProps) {
  const at = useViewsAt();
  return (
    <FilterChips filters={filters} fields={fields}>
      {children}
      {at && <SavedViews at={at} list={list} names={names ?? fields.map(({ name }) => name)} />}
    </FilterChips>
  );
}
