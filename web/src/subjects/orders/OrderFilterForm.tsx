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
    of: (name: string) => (name === 'sought' ? (of('reference') ?? of('iccid')) : of(name)),
    filter: (values: FilterValues, how?: 'further') => {
      if (!('sought' in values)) return filter(values, how);
      const { sought = '', ...others } = values;
      filter({ ...others, iccid: isIccid(sought) ? sought : '', reference: isIccid(sought) ? '' : sought }, how);
    },
  };
  const sought = {
    name: 'sought',
    label: 'Reference or ICCID',
    kind: 'search',
    placeholder: 'the whole text',
  } as const;
  return <ListFilters list="orders" filters={filters} fields={[sought, ...fields]} names={names} />;
}
