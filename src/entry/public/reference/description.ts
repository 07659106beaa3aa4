/** The parts of the API's description that the reference shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-enum-descriptions'?: Readonly<Record<string, string>>;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

interface Example {
  readonly $ref?: string;
  readonly summary?: string;
  readonly value?: unknown;
}

interface Content {
  readonly schema: Schema;
  readonly examples: Readonly<Record<string, Example>>;
}

export interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly description: string; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

type Methods = Readonly<Record<string, Operation>>;

export interface Description {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Methods>>;
  readonly webhooks: Readonly<Record<string, Methods>>;
  /** Of a piece of it, which has one operation: the codes that every endpoint can answer. */
  readonly everywhere?: readonly string[];
  /** Of a piece of it: what its description says in sentences of a fixed form, which it then leaves out. */
  readonly glance?: Readonly<Record<'outcomes' | 'facts', readonly (readonly [name: string, text: string])[]>>;
}

export function resolved<T extends { readonly $ref?: string }>(api: Description, part: T): T {
  if (part.$ref === undefined) return part;
  const steps = part.$ref.split('/').slice(1);
  return steps.reduce((at: unknown, step) => (at as Record<string, unknown>)[step], api) as T;
}

/** An endpoint, or an event that is sent to webhooks. */
export interface Entry {
  readonly id: string;
  readonly verb: 'GET' | 'POST';
  /** `/order/detail/{id}`, or the name of an event. */
  readonly path: string;
  readonly operation: Operation;
  readonly isEvent: boolean;
  readonly isExtension: boolean;
  /** Under which heading it is listed. */
  readonly group: string;
}

export function entriesOf(api: Description): Entry[] {
  const entry = (path: string, methods: Methods, isEvent: boolean): Entry[] =>
    Object.entries(methods).map(([verb, operation]) => ({
      id: operation.operationId,
      verb: verb.toUpperCase() as Entry['verb'],
      path,
      operation,
      isEvent,
      isExtension: operation.tags.includes('extensions'),
      group: isEvent ? 'events' : (path.split('/')[1] ?? ''),
    }));
  return [
    ...Object.entries(api.paths).flatMap(([path, methods]) => entry(path, methods, false)),
    ...Object.entries(api.webhooks).flatMap(([name, methods]) => entry(name, methods, true)),
  ];
}

export interface FormField extends Pick<Parameter, 'name' | 'required' | 'description' | 'schema'> {
  readonly place: 'path' | 'query' | 'form';
}

/** What a caller can send, whatever way it travels. Headers are left to those who write code. */
export function fieldsOf(api: Description, { operation }: Entry): FormField[] {
  const parameters = operation.parameters
    .map((one) => resolved(api, one))
    .filter((one) => one.in !== 'header')
    .map(({ name, in: place, required, description: about, schema }) => ({
      name,
      place: place as 'path' | 'query',
      required,
      description: about,
      schema,
    }));
  const form = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema;
  const sent = Object.entries(form?.properties ?? {}).map(([name, schema]) => ({
    name,
    place: 'form' as const,
    required: form?.required?.includes(name) ?? false,
    description: schema.description ?? '',
    schema,
  }));
  return [...parameters, ...sent];
}

export const ENVELOPE = ['result', 'code', 'title', 'api_version', 'livemode'];
export const FAILED_ENVELOPE = [...ENVELOPE, 'error', 'sandbox_simulated'];

export interface Failure {
  readonly status: string;
  readonly code: string;
  readonly meaning: string;
  readonly schema: Schema;
}

const KEY = 'idempotency_key';
/** In the description's examples plans are those of the catalog they were recorded with. */
const PLAN = /\besc_\w+/g;

/** What a sample sends: the required fields and the key, for a plan that can be bought here. */
export function examplesOf(
  api: Description,
  entry: Entry,
  { planId, key }: { readonly planId: string | null | undefined; readonly key: string },
): Record<string, string> {
  return Object.fromEntries(
    fieldsOf(api, entry)
      .filter(({ name, required }) => required || name === KEY)
      .map(({ name, schema: { examples: [example = ''] = [] } }) => [
        name,
        name === KEY ? key : String(example).replaceAll(PLAN, (ours) => planId ?? ours),
      ]),
  );
}

/** What an endpoint answers: its fields and recorded examples, its own errors, and those it shares with every other. */
export function answersOf(api: Description, { operation }: Entry) {
  const all = Object.entries(operation.responses).map(([status, answer]) => ({
    status,
    failures: failuresOf(api, status, answer),
    said: resolved(api, answer).description,
    content: resolved(api, answer).content?.['application/json'],
  }));
  const good = all.filter(({ failures, content }) => failures.length === 0 && content);
  const failures = all.flatMap((one) => one.failures);
  const shared = codesEverywhere(api);
  return {
    good,
    schema: good[0]?.content?.schema,
    examples: good.flatMap(({ status, content }) =>
      Object.entries(content?.examples ?? {}).map(([name, { summary, value }]) => ({
        name: `${status} ${name}`,
        status,
        summary,
        value,
      })),
    ),
    failures: failures.filter(({ code }) => !shared.has(code)),
    everywhere: failures.filter(({ code }) => shared.has(code)),
  };
}

export function codesEverywhere(api: Description): ReadonlySet<string> {
  if (api.everywhere) return new Set(api.everywhere);
  const sets = entriesOf(api)
    .filter(({ isEvent }) => !isEvent)
    .map(({ operation }) => Object.values(operation.responses).flatMap((answer) => failuresOf(api, '', answer)))
    .map((failures) => new Set(failures.map(({ code }) => code)));
  const [first = new Set<string>(), ...others] = sets;
  return new Set([...first].filter((code) => others.every((set) => set.has(code))));
}

function failuresOf(api: Description, status: string, answer: Answer): Failure[] {
  const schema = resolved(api, answer).content?.['application/json']?.schema;
  return (schema?.oneOf ?? (schema ? [schema] : [])).flatMap((one) => {
    const found = resolved(api, one);
    const error = found.properties?.error;
    return typeof error?.const === 'string'
      ? [{ status, code: error.const, meaning: error.description ?? '', schema: found }]
      : [];
  });
}

export const groupTitles: Readonly<Record<string, string>> = {
  catalog: 'Catalog',
  purchase: 'Purchase',
  order: 'Orders',
  esim: 'eSIMs',
  account: 'Account',
  invoice: 'Invoices',
  webhook: 'Webhooks',
  sandbox: 'Sandbox',
  events: 'Events',
};
