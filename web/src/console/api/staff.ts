import { queryOptions } from '@tanstack/react-query';
import type { OperatorView } from '../../../../src/entry/console/system/system.ts';
import { get } from '../../parts/server/client.ts';
import { ownAccount } from '../../subjects/account/account.ts';

export type Operator = OperatorView;

export const operators = queryOptions({
  queryKey: ['operators'],
  queryFn: () => get<{ operators: Operator[] }>('/operator/api/operators'),
});

/** The operator's own password, second factor and sessions. */
export const own = ownAccount('/operator/api');
