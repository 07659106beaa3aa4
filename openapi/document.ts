import { type TSchema, Type } from 'typebox';
import { eventNames } from '../src/domains/messages/events/events.ts';
import { patternOf } from '../src/entry/api/endpoint.ts';
import { endpoints } from '../src/entry/api/endpoints.ts';
import { Components } from './components.ts';
import { eventHeaders, eventSchema, webhookPaths } from './events.ts';
import { Failures, IGNORED } from './failures.ts';
import { headers } from './headers.ts';
import { Operations, operationId } from './operation.ts';
import { eventExample, examplesOf } from './recorded.ts';
import { Samples } from './samples.ts';
import { about, tags } from './texts.ts';

const envelope = Type.Object(
  {
    result: Type.Literal('ok', { description: 'The request was carried out.', examples: ['ok'] }),
    code: Type.Enum(['200', '202'], { description: 'The HTTP status.' }),
    title: Type.String({ description: 'A label for people; may be reworded.', examples: ['Successful'] }),
    api_version: Type.Integer({ const: 3, description: 'The version of the API.', examples: [3] }),
    livemode: Type.Optional(Type.Literal(false, { description: 'In sandbox answers only.', examples: [false] })),
    ignored: Type.Optional(Type.Unsafe<string[]>(IGNORED)),
  },
  { title: 'Envelope', description: 'What every successful answer begins with.' },
);

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the answer you have. If nothing changed, the answer is 304 without a body.',
  schema: { type: 'string', examples: ['"b1946ac92492d234"'] },
};

/** Every field's value in the recorded answers. */
function samples(): Samples {
  const found = new Samples();
  for (const endpoint of endpoints)
    for (const { body } of examplesOf(endpoint.path)) found.take(endpoint.reply, body, operationId(endpoint));
  for (const event of eventNames) found.take(eventSchema(event) as TSchema, eventExample(event), event);
  return found;
}

/** The description of the API: OpenAPI 3.1, made of the endpoints' own declarations. */
export function describedApi() {
  const components = new Components(samples());
  const failures = new Failures(components);
  const operations = new Operations(components, failures);
  components.schema(envelope, 'Envelope');
  const paths = endpoints.map((endpoint) => [
    patternOf(endpoint),
    { [endpoint.verb.toLowerCase()]: operations.of(endpoint) },
  ]);
  const webhooks = webhookPaths(components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Wayfare Travel eSIM Partner API',
      version: '3.0.0',
      summary: 'Resell travel eSIMs',
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'The operator of this service' },
    },
    servers: [{ url: '/v3', description: 'The sandbox or live address; the host decides.' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'A key of your account, made in the panel: `esk_…` for live, `esk_test_…` for the sandbox.',
        },
      },
      schemas: components.schemas,
      parameters: { IfNoneMatch: ifNoneMatch, ...eventHeaders },
      headers,
      responses: failures.responses,
      examples: failures.examples,
    },
  };
}
