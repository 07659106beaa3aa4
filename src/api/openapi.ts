import { writeFile } from 'node:fs/promises';
import { type TSchema, Type } from 'typebox';
import { liveCodes, sandboxCodes } from '../contract/codes.ts';
import { type ErrorCode, errors } from '../contract/errors.ts';
import { tiers } from '../contract/tiers.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';

/** What the gates can answer before a request reaches its endpoint. */
const GATE_ERRORS: readonly ErrorCode[] = [
  'live_key_on_sandbox_host',
  'sandbox_key_on_live_host',
  'body_too_large',
  'unsupported_media_type',
  'malformed_request',
  'api_key_header_required',
  'api_key_required',
  'invalid_api_key',
  'partner_not_found',
  'partner_disabled',
  'ip_not_allowed',
  'method_not_allowed',
  'rate_limited',
  'invalid_sandbox_error',
  'internal_error',
  'service_unavailable',
];

/** Every code an endpoint can answer, in a stable order. */
export function errorCodesOf(endpoint: Endpoint): ErrorCode[] {
  const own = [
    ...(endpoint.param ? [endpoint.param.missing] : []),
    ...Object.values(endpoint.fields).flatMap((field) => field.errors),
    ...endpoint.errors,
    ...endpoint.simulated,
    ...[liveCodes, sandboxCodes].flatMap((codes) => endpoint.storeFailure?.(codes) ?? []),
  ];
  return [...new Set([...GATE_ERRORS, ...own])].sort(
    (a, b) => errors[a].status - errors[b].status || a.localeCompare(b),
  );
}

const envelope = {
  result: Type.Enum(['ok', 'fail']),
  code: Type.String({ description: 'The HTTP status, as a string' }),
  title: Type.String({ description: 'A label for people; may be reworded' }),
  api_version: Type.Integer({ const: 3 }),
  livemode: Type.Optional(Type.Boolean({ description: 'false in sandbox answers; absent in live ones' })),
};

const schemas: Record<string, TSchema> = {
  Envelope: Type.Object(envelope),
  Failure: Type.Object(
    { ...envelope, error: Type.String({ pattern: '^[a-z0-9_]+$' }) },
    { additionalProperties: true },
  ),
};

const headers = Object.fromEntries(
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
    name,
    { schema: { type: 'integer' } },
  ]),
);

const json = (schema: object) => ({ 'application/json': { schema } });

function responses(endpoint: Endpoint): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodesOf(endpoint)) {
    byStatus.set(errors[code].status, [...(byStatus.get(errors[code].status) ?? []), code]);
  }
  const good = (endpoint.statuses ?? [200]).map((status) => [
    String(status),
    {
      description: status === 202 ? 'Accepted' : 'Successful',
      headers,
      content: json({ allOf: [{ $ref: '#/components/schemas/Envelope' }, endpoint.reply] }),
    },
  ]);
  const bad = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
      headers,
      content: json({
        allOf: [
          { $ref: '#/components/schemas/Failure' },
          { type: 'object', properties: { error: { enum: codes }, ...extraFields(codes) } },
        ],
      }),
    },
  ]);
  return Object.fromEntries([...good, ...bad]);
}

/** Extra fields are documented by example, with their sample values. */
function extraFields(codes: readonly ErrorCode[]): Record<string, object> {
  const samples = codes.flatMap((code) => Object.entries(errors[code].sample as Record<string, unknown>));
  return Object.fromEntries(samples.map(([field, sample]) => [field, { examples: [sample] }]));
}

function operation(endpoint: Endpoint): object {
  const fields = Object.entries(endpoint.fields);
  const query = endpoint.verb === 'GET' ? fields : [];
  const form = endpoint.verb === 'POST' ? fields : [];
  const required = form.filter(([, field]) => field.required).map(([name]) => name);
  return {
    operationId: endpoint.path.slice(1).replace('/', '_'),
    summary: endpoint.summary,
    description: `Rate tier \`${endpoint.tier}\`: ${tiers[endpoint.tier]} requests per minute and key.`,
    tags: [endpoint.isExtension ? 'extensions' : endpoint.path.split('/')[1]],
    parameters: [
      ...(endpoint.param
        ? [{ name: endpoint.param.name, in: 'path', required: true, schema: endpoint.param.schema }]
        : []),
      ...query.map(([name, field]) => ({ name, in: 'query', required: field.required, schema: field.schema })),
    ],
    ...(form.length > 0
      ? {
          requestBody: {
            required: required.length > 0,
            content: {
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  properties: Object.fromEntries(form.map(([name, field]) => [name, field.schema])),
                  ...(required.length > 0 ? { required } : {}),
                },
              },
            },
          },
        }
      : {}),
    responses: responses(endpoint),
  };
}

function openapiDocument(basePath: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wayfare Travel eSIM Partner API',
      version: '3.0.0',
      description:
        'Resell travel eSIMs: catalog, purchase, orders, usage, wallet and webhooks. The key decides the mode.',
    },
    servers: [{ url: basePath || '/' }],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [
        endpoint.path + (endpoint.param ? `/{${endpoint.param.name}}` : ''),
        { [endpoint.verb.toLowerCase()]: operation(endpoint) },
      ]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas,
    },
  };
}

/** The description as served by a host with this base path. */
export const openapiAt = (basePath: string): string => `${JSON.stringify(openapiDocument(basePath), null, 2)}\n`;

export const openapiText = openapiAt('/v3');

// `npm run openapi` writes the committed copy.
if (import.meta.main) await writeFile(new URL('../../openapi.json', import.meta.url), openapiText);
