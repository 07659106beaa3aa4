import { queryOptions } from '@tanstack/react-query';
import type { ActivityView } from '../../../../src/entry/panel/account/activity.ts';
import { get } from '../../parts/server/client.ts';
import { ownAccount } from '../../subjects/account/account.ts';

/** The member's own password, second factor and sessions. */
export const own = ownAccount('/api');

export type Activity = ActivityView;

export const activity = (before: string | undefined) =>
  queryOptions({
    queryKey: ['activity', before],
    queryFn: () => get<{ entries: Activity[]; has_more: boolean }>('/api/activity', { before }),
  });
