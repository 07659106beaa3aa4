import type { Filters } from '../../../parts/useFilters.ts';
import { keyName } from '../../../subjects/keys/keys.ts';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import type { Requests } from '../../api/requests.ts';

const statuses = [
  { value: '2xx', label: '2xx, successful' },
  { value: '3xx', label: '3xx, not changed' },
  { value: '4xx', label: '4xx, refused' },
  { value: '5xx', label: '5xx, failed on our side' },
  { value: 'refused', label: 'Everything but successful' },
];

interface RequestFiltersProps {
  filters: Filters;
  /** What can be chosen; undefined while it loads. */
  offered: Pick<Requests, 'keys' | 'endpoints'> | undefined;
}

export function RequestFilters({ filters, offered }: RequestFiltersProps) {
  const { keys = [], endpoints = [] } = offered ?? {};
  const paths = endpoints.map((path) => ({ value: path, label: path.slice(1) }));
  const keyChoice = keys.map((key) => ({ value: String(key.id), label: keyName(key) }));
  return (
    <ListFilters
      list="requests"
      filters={filters}
      fields={[
        { name: 'status', label: 'Status', kind: 'choice', choices: statuses },
        { name: 'endpoint', label: 'Endpoint', kind: 'choice', choices: paths },
        { name: 'key', label: 'Key', kind: 'choice', choices: keyChoice },
        { name: 'error', label: 'Error code', kind: 'text', placeholder: 'rate_limited' },
        { name: 'request_id', label: 'Request id', kind: 'text', placeholder: 'From X-Request-Id' },
        { name: 'order', label: 'Order', kind: 'text', isNumber: true },
        { name: 'from', label: 'From (UTC)', kind: 'minute' },
        { name: 'to', label: 'Before (UTC)', kind: 'minute' },
      ]}
    />
  );
}
