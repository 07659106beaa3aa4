import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Attributes, Context, Link, Span, SpanContext, Tracer } from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace';
import { SECOND } from '../clock.ts';
import type { Log } from '../log.ts';

/*
 * Traces: what a request, a batch of a job or an attempt to deliver consists of, and how long each part took, for the collector
 * named by OTEL_EXPORTER_OTLP_ENDPOINT. Without that setting nothing of OpenTelemetry is loaded (but its interface, by prom-client), and
 * `traced` only calls its work.
 *
 * Across the queue. What a request leaves to be done later (an order that is not delivered yet, a webhook delivery) is a row, and the
 * row keeps the request's `traceparent`. The span of the later work has it as its parent, so both are one trace. Work that is done for
 * several requests at once, such as charging them in one transaction, is a trace of its own with links to theirs.
 *
 * What a span may say. Names of ours, ids of orders and partners, codes, and SQL without its values: never a key, a secret, an
 * activation code or an ICCID. So paths and messages of errors, which can hold these, are left out.
 */

const kinds = { internal: 0, server: 1, client: 2 } as const;

interface Tracing {
  readonly tracer: Tracer;
  /** The context in which a span's children start. */
  within(span: Span): Context;
  after(cause: SpanContext): Context;
  readonly root: Context;
}

interface Options {
  readonly kind?: keyof typeof kinds;
  readonly attributes?: Attributes;
  /** A `traceparent` that a row or a request brought. Without it the work belongs to the span it is called in. */
  readonly cause?: string | null | undefined;
  /** It does not belong to the span it is called in. */
  readonly apart?: true;
  /** Requests it is done for, by their `traceparent`. */
  readonly links?: readonly (string | undefined)[];
}

/** One for the whole process, so that a statement can be traced without every function between it and its request knowing. */
let tracing: Tracing | undefined;
const current = new AsyncLocalStorage<Span>();

const ERROR = 2;
/** A collector that is away must not keep a process from stopping. */
const STOP_LIMIT_MS = 3 * SECOND;

/** Does the work within a span of its own. */
export async function traced<T>(name: string, options: Options, work: () => Promise<T>): Promise<T> {
  if (!tracing) return work();
  const { kind = 'internal', attributes = {}, links = [] } = options;
  const linked = links.flatMap((one): Link[] => {
    const context = contextIn(one);
    return context ? [{ context }] : [];
  });
  const span = tracing.tracer.startSpan(
    name,
    { kind: kinds[kind], attributes, links: linked },
    startOf(tracing, options),
  );
  try {
    return await current.run(span, work);
  } catch (error) {
    failed(span, error);
    throw error;
  } finally {
    span.end();
  }
}

function startOf({ within, after, root }: Tracing, { cause, apart }: Options): Context {
  const caused = contextIn(cause);
  if (caused) return after(caused);
  const parent = apart ? undefined : current.getStore();
  return parent ? within(parent) : root;
}

/** Only what kind of error it was: its message may quote what must not leave the process. */
function failed(span: Span, error: unknown): void {
  const { code, name } = error as { code?: unknown; name?: unknown };
  span.setAttribute('error.type', String(code ?? name ?? 'error'));
  span.setStatus({ code: ERROR });
}

/** Adds what only became known within a span. */
export function notice(
  attributes: Attributes,
  { name, isError = false }: { name?: string; isError?: boolean } = {},
): void {
  const span = tracing && current.getStore();
  if (!span) return;
  span.setAttributes(attributes);
  if (name) span.updateName(name);
  if (isError) span.setStatus({ code: ERROR });
}

/** Where the work that is being done belongs, for a row or another service to continue from (W3C Trace Context). */
export function traceparent(): string | undefined {
  const span = tracing && current.getStore();
  if (!span) return undefined;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

export const isTracing = (): boolean => tracing !== undefined;

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;

function contextIn(given: string | null | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = (given && TRACEPARENT.exec(given)) || [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

/** An attribute of the span around a batch of a job: how many rows it handled. */
export const BATCH_ROWS = 'wayfare.rows';

/**
 * Jobs look for work every second, and mostly find none. Spans of a batch are held back until it ends, and a batch that handled nothing
 * and asked nobody but the database is left out.
 */
class WithoutIdleBatches implements SpanProcessor {
  readonly #next: SpanProcessor;
  readonly #held = new Map<string, ReadableSpan[]>();

  constructor(next: SpanProcessor) {
    this.#next = next;
  }

  onStart(span: Parameters<SpanProcessor['onStart']>[0], parent: Context): void {
    if ('wayfare.job' in span.attributes) this.#held.set(span.spanContext().traceId, []);
    this.#next.onStart(span, parent);
  }

  onEnd(span: ReadableSpan): void {
    const { traceId } = span.spanContext();
    const held = this.#held.get(traceId);
    held?.push(span);
    if (!held) this.#next.onEnd(span);
    if (!held || !('wayfare.job' in span.attributes)) return;
    this.#held.delete(traceId);
    const isIdle = span.attributes[BATCH_ROWS] === 0;
    if (isIdle && held.every((one) => one === span || 'db.system.name' in one.attributes)) return;
    for (const one of held) this.#next.onEnd(one);
  }

  forceFlush = (): Promise<void> => this.#next.forceFlush();
  shutdown = (): Promise<void> => this.#next.shutdown();
}

export interface TraceSettings {
  /** Where spans are sent (OTLP over HTTP). */
  readonly url: string;
  /** The share of requests that are traced, unless their sender has decided it. */
  readonly ratio: number;
}

/** Begins to trace this process; ends it, and sends what is left, when it is disposed of. */
export async function startTraces(
  settings: TraceSettings | undefined,
  { version, log }: { readonly version: string; readonly log: Log },
): Promise<AsyncDisposable> {
  if (!settings) return { async [Symbol.asyncDispose]() {} };
  const [{ diag, DiagLogLevel, ROOT_CONTEXT, trace }, sdk, exporter, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const say = (message: string) => log.warn({ reason: message.slice(0, 200) }, 'traces could not be sent');
  diag.setLogger({ error: say, warn: say, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
  const sent = new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter({ url: settings.url }) });
  const provider = new sdk.TracerProvider({
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.ratio) }),
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'wayfare', 'service.version': version }))
      // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last: they say how this installation wants to be told apart.
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new WithoutIdleBatches(sent)],
  });
  tracing = {
    tracer: provider.getTracer('wayfare', version),
    within: (span) => trace.setSpan(ROOT_CONTEXT, span),
    after: (cause) => trace.setSpanContext(ROOT_CONTEXT, cause),
    root: ROOT_CONTEXT,
  };
  return {
    async [Symbol.asyncDispose]() {
      tracing = undefined;
      await Promise.race([provider.shutdown().catch(() => {}), wait(STOP_LIMIT_MS, undefined, { ref: false })]);
      diag.disable();
    },
  };
}
