import { errors, SIMULATED_EVERYWHERE } from '../../../platform/contract/errors.ts';
import { batchExtra, Failure, fail } from '../../../platform/contract/failure.ts';
import { notPlain, type RawValue } from '../../../platform/contract/fields.ts';
import type { Endpoint } from '../endpoint.ts';

/** Seconds; also sent as the header of a simulated 429. */
export const SIMULATED_RETRY_AFTER = 30;

/** A failure the caller asked for: answered like the real one, and marked as simulated. */
export class SimulatedFailure extends Failure {}

/** `catalog/product`, as the contract names endpoints. */
export const endpointName = (endpoint: Endpoint): string => endpoint.path.split('/').slice(1, 3).join('/');

/** The code the caller asks for: the header wins over the query, the query over the body; empty counts as not sent. */
export function wantedError(header: RawValue, query: RawValue, body: RawValue): RawValue {
  return header ?? query ?? body;
}

export function simulateError(endpoint: Endpoint, wanted: RawValue, real: Readonly<Record<string, unknown>>): void {
  if (wanted === undefined) return;
  const allowed = [...SIMULATED_EVERYWHERE, ...endpoint.simulated];
  const code = wanted === notPlain ? undefined : allowed.find((candidate) => candidate === wanted);
  if (!code) throw fail('invalid_sandbox_error', { endpoint: endpointName(endpoint), allowed });
  const sample: Readonly<Record<string, unknown>> = errors[code].sample;
  const extra = Object.fromEntries(Object.entries(sample).map(([field, value]) => [field, real[field] ?? value]));
  const named = endpoint.isBatch ? batchExtra(code, extra) : extra;
  throw new SimulatedFailure(code, { ...named, sandbox_simulated: true });
}
