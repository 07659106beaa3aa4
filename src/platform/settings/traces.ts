import type { TraceSettings } from '../traces/traces.ts';
import { ConfigError, type Settings } from './environment.ts';

/** Reads the settings that OpenTelemetry names; it reads the headers of its calls, which may hold a secret, from the environment itself. */
export function readTraceSettings(env: NodeJS.ProcessEnv, { url }: Settings): TraceSettings | undefined {
  const ratio = env.OTEL_TRACES_SAMPLER_ARG ? Number(env.OTEL_TRACES_SAMPLER_ARG) : 1;
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined;
  const endpoint = url('OTEL_EXPORTER_OTLP_ENDPOINT', '');
  return { url: `${endpoint.href.replace(/\/+$/, '')}/v1/traces`, ratio };
}
