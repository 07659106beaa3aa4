import { useQuery } from '@tanstack/react-query';
import { me } from './api/session.ts';

/** Whether an operator is viewing this panel, rather than one of the partner's members. */
export const useIsView = (): boolean => typeof useQuery(me).data?.viewed_by === 'string';
