import { queryOptions } from '@tanstack/react-query';
import type { OperatorView } from '../../../../src/console/staff.ts';
import { ownAccount } from '../../api/account.ts';
import { get } from '../../api/client.ts';

export type Operator = OperatorView;

export const operators = queryOptions({
  queryKey: ['operators'],
  queryFn: () => get<{ operators: Operator[] }>('/operator/api/operators'),
});

/** The operator's own password, second factor and sessions. */
export const own = ownAccount('/operator/api');
