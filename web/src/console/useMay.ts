import { useQuery } from '@tanstack/react-query';
import type { OperatorPermission } from '../../../src/domains/partners/people/people.ts';
import { me } from './api/session.ts';

/** Whether the operator's role allows something. The server refuses it anyway; this decides what is shown. */
export function useMay(): (permission: OperatorPermission) => boolean {
  const { data } = useQuery(me);
  return (permission) => data?.operator.may.includes(permission) ?? false;
}
