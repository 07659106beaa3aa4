import { useQuery } from '@tanstack/react-query';
import { type SandboxTime, useTicking } from '../subjects/sandbox/useTicking.ts';
import { clock } from './api/sandbox.ts';

/** The time in this partner's sandbox. */
export const useSandboxTime = (): SandboxTime | undefined => useTicking(useQuery(clock));
