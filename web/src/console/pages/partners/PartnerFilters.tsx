import type { Filters } from '../../../parts/useFilters.ts';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { billingName, statusNames } from './PartnerStatus.tsx';

export const filterNames = ['q', 'status', 'billing'] as const;

const billings = Object.entries(billingName).map(([value, label]) => ({ value, label }));

export const PartnerFilters = ({ filters }: { filters: Filters }) => (
  <ListFilters
    list="partners"
    filters={filters}
    fields={[
      { name: 'q', label: 'Name, email or id', kind: 'search' },
      { name: 'status', label: 'Status', kind: 'choice', choices: statusNames },
      { name: 'billing', label: 'Billing', kind: 'choice', choices: billings },
    ]}
  />
);
