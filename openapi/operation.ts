import type { TSchema } from 'typebox';
import type { Endpoint } from '../src/entry/api/endpoint.ts';
import { type ErrorCode, errors, SIMULATED_EVERYWHERE } from '../src/platform/contract/errors.ts';
import type { Field } from '../src/platform/contract/fields.ts';
import { tiers } from '../src/platform/contract/key-terms.ts';
import type { Components, Json } from './components.ts';
import { errorCodesOf } from './error-codes.ts';
import type { Failures } from './failures.ts';
import { everyAnswer } from './headers.ts';
import { type Example, examplesOf } from './recorded.ts';
import { inSandbox } from './texts.ts';

/** `purchase_batch` for /purchase/batch, `purchase_batchById` for /purchase/batch/{id}. */
export const operationId = ({ path }: Pick<Endpoint, 'path'>): string =>
  path
    .slice(1)
    .replace(/\/\{\w+\}$/, 'ById')
    .replace('/', '_');

export const tagOf = ({ path, isExtension }: Endpoint): string =>
  isExtension ? 'extensions' : (path.split('/')[1] ?? '');

/** One endpoint as an operation of the description. */
export class Operations {
  readonly #components: Components;
  readonly #failures: Failures;

  constructor(components: Components, failures: Failures) {
    this.#components = components;
    this.#failures = failures;
  }

  of(endpoint: Endpoint): Json {
    return {
      operationId: operationId(endpoint),
      summary: endpoint.summary,
      description: descriptionOf(endpoint),
      tags: [tagOf(endpoint)],
      parameters: this.#parameters(endpoint),
      ...this.#body(endpoint),
      responses: Object.fromEntries([...this.#good(endpoint), ...this.#bad(endpoint)]),
    };
  }

  #parameters(endpoint: Endpoint): Json[] {
    const { param, fields, verb } = endpoint;
    const id = operationId(endpoint);
    const [first] = examplesOf(endpoint.path);
    const written = (name: string, place: string, schema: TSchema, required: boolean, example?: string) => {
      const { description, ...rest } = this.#components.schema(schema, `${id}?${name}`);
      return { name, in: place, required, description, schema: withExample(rest, example) };
    };
    const query: [string, Field<unknown>][] = verb === 'GET' ? Object.entries(fields) : [];
    return [
      ...(param ? [written(param.name, 'path', param.schema, true, first?.param)] : []),
      ...query.map(([name, field]) => written(name, 'query', field.schema, field.required, first?.fields[name])),
      ...(verb === 'GET' ? [{ ...simulatedError(endpoint), name: 'sandbox_error', in: 'query' }] : []),
      { ...simulatedError(endpoint), name: 'X-Sandbox-Error', in: 'header' },
      ...(endpoint.hasTag ? [{ $ref: '#/components/parameters/IfNoneMatch' }] : []),
    ];
  }

  #body(endpoint: Endpoint): Json {
    if (endpoint.verb === 'GET') return {};
    const fields = Object.entries(endpoint.fields);
    const required = fields.filter(([, field]) => field.required).map(([name]) => name);
    const { description, schema } = simulatedError(endpoint);
    const examples = examplesOf(endpoint.path);
    const [first] = examples;
    const properties = fields.map(([name, field]) => {
      const written = this.#components.schema(field.schema, `${operationId(endpoint)}?${name}`);
      return [name, withExample(written, first?.fields[name])] as const;
    });
    return {
      requestBody: {
        description:
          'A form, encoded as in a query: `a=1&b=2`. Each field at most once; an empty optional field counts as not sent.',
        required: required.length > 0,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              properties: { ...Object.fromEntries(properties), sandbox_error: { ...schema, description } },
              ...(required.length > 0 ? { required } : {}),
            },
            examples: Object.fromEntries(
              examples.map(({ name, summary, fields: sent }) => [name, { summary, value: typed(sent, endpoint) }]),
            ),
          },
        },
      },
    };
  }

  #good(endpoint: Endpoint): [string, Json][] {
    if (endpoint.fileType) {
      const content = { [endpoint.fileType]: { schema: { type: 'string', contentEncoding: 'binary' } } };
      return [['200', { description: 'The file', headers: everyAnswer([]), content }]];
    }
    const id = operationId(endpoint);
    const name = `${id.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Answer`;
    const schema = this.#components.add(name, {
      title: name,
      description: `What \`${endpoint.path.slice(1)}\` answers.`,
      ...enveloped(this.#components.schema(endpoint.reply, id)),
    });
    const headers = everyAnswer(endpoint.hasTag ? ['ETag'] : []);
    const answers = (endpoint.statuses ?? [200]).map((status): [string, Json] => {
      const examples = examplesOf(endpoint.path).filter((example) => example.status === status);
      return [
        String(status),
        {
          description: status === 202 ? 'Accepted: paid, and the eSIM is on its way' : 'Successful',
          headers,
          content: { 'application/json': { schema, examples: examplesIn(examples) } },
        },
      ];
    });
    const unchanged = { description: 'Not modified since the version you have', headers };
    return endpoint.hasTag ? [...answers, ['304', unchanged]] : answers;
  }

  #bad(endpoint: Endpoint): [string, Json][] {
    const byStatus = Map.groupBy(errorCodesOf(endpoint), (code) => errors[code].status);
    return [...byStatus].map(([status, codes]) => [String(status), this.#failures.response(status, codes)]);
  }
}

function descriptionOf({ path, about, tier, permission = 'read', isExtension, simulated }: Endpoint): string {
  const sandbox = inSandbox[path];
  return [
    about,
    sandbox && `With a sandbox key it ${sandbox}`,
    `Rate tier \`${tier}\`: ${tiers[tier]} requests per minute and key.`,
    `A restricted key needs the permission \`${permission}\`${permission === 'webhooks' && isExtension ? '; one that is not restricted does not have it' : ''}.`,
    simulated.length > 0 &&
      `Errors it can simulate beyond the common four: ${simulated.map((c) => `\`${c}\``).join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function simulatedError({ simulated }: Endpoint): { description: string; required: boolean; schema: Json } {
  const codes: ErrorCode[] = [...SIMULATED_EVERYWHERE, ...simulated];
  return {
    description:
      'Sandbox keys only: answer with this error, and do nothing else. Live keys ignore it. The header wins over the query, the query over the body.',
    required: false,
    schema: { type: 'string', enum: codes, examples: [codes.at(-1)] },
  };
}

/** The envelope and the answer's own fields; around each, if there are several shapes. */
function enveloped(reply: Json): Json {
  const around = (schema: unknown) => ({ allOf: [{ $ref: '#/components/schemas/Envelope' }, schema] });
  return Array.isArray(reply.anyOf) ? { anyOf: reply.anyOf.map(around) } : around(reply);
}

const examplesIn = (examples: readonly Example[]): Json =>
  Object.fromEntries(examples.map(({ name, summary, body }) => [name, { summary, value: body }]));

/** Fields are sent as text; a schema of a number wants a number as its example. */
const asTyped = (value: string, type: unknown): string | number =>
  type === 'integer' || type === 'number' ? Number(value) : value;

const withExample = (schema: Json, example: string | undefined): Json => {
  if (example !== undefined) return { ...schema, examples: [asTyped(example, schema.type)] };
  const known = schema.examples ?? (schema.default === undefined ? undefined : [schema.default]);
  return known ? { ...schema, examples: known } : schema;
};

const typed = (fields: Readonly<Record<string, string>>, endpoint: Endpoint): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      asTyped(value, (endpoint.fields[name]?.schema as { type?: string } | undefined)?.type),
    ]),
  );
