import { queryOptions } from '@tanstack/react-query';
import type { Description } from '../../../../../src/public/reference/description.ts';
import { get } from '../../../parts/server/client.ts';

/** It changes with a release, so it is read once. */
export const description = queryOptions({
  queryKey: ['openapi'],
  queryFn: () => get<Description>('/openapi.json'),
  staleTime: Number.POSITIVE_INFINITY,
});
