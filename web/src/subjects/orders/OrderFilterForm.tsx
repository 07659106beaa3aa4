import { WHOLE_ICCID } from '../../../../src/platform/contract/ids.ts';
import type { FilterField } from '../../parts/FilterChips.tsx';
import type { Filters, FilterValues } from '../../parts/useFilters.ts';
import { ListFilters } from '../views/ListFilters.tsx';

/** ICCIDs have 18 digits or more; anything else is taken as a reference. */
const isIccid = (text: string): boolean => WHOLE_ICCID.test(text);

interface OrderFilterFormProps {
  filters: Filters;
  /** In the address: `reference` and `iccid`, which share one field, and those of the other fields. */
  names: readonly string[];
  /** The other fields. */
  fields: readonly FilterField[];
}

export function OrderFilterForm({ filters: { of, filter }, names, fields }: OrderFilterFormProps) {
  const filters = {
    of: (name: string) => (name === 'search' ? (of('reference') ?? of('iccid')) : of(name)),
    filter: (values: FilterValues, how?: 'further') => {
      if (!('search' in values)) return filter(values, how);
      const { search = '', ...others } = values;
      filter({ ...others, iccid: isIccid(search) ? search : '', reference: isIccid(search) ? '' : search }, how);
    },
  };
  const search = {
    name: 'search',
    label: 'Reference or ICCID',
    kind: 'search',
    placeholder: 'the whole text',
  } as const;
  return <ListFilters list="orders" filters={filters} fields={[search, ...fields]} names={names} />;
}
