import { useQuery } from '@tanstack/react-query';
import type { Permission } from '../../../src/domains/partners/people/people.ts';
import { me } from './api/session.ts';

/** Whether the signed-in member's role allows something. The server refuses it anyway; this decides what is shown. */
export function useMay(): (permission: Permission) => boolean {
  const { data } = useQuery(me);
  return (permission) => data?.member.may.includes(permission) ?? false;
}
