import { type ErrorCode, errors } from '../src/platform/contract/errors.ts';
import { batchExtra, onlySometimes } from '../src/platform/contract/failure.ts';
import { messages } from '../src/platform/contract/messages.ts';
import type { Components, Json } from './components.ts';
import { GATE_ERRORS, sortedCodes } from './error-codes.ts';
import { errorField } from './error-fields.ts';
import { everyAnswer, headersOf } from './headers.ts';

const pascal = (code: string): string =>
  code.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The name of a code's schema: `InsufficientBalanceError`. */
export const errorName = (code: ErrorCode): string => (code.endsWith('_error') ? pascal(code) : `${pascal(code)}Error`);

/** In every answer to a request with fields that the endpoint does not know. */
export const IGNORED: Json = {
  type: 'array',
  maxItems: 20,
  description: 'Fields you sent that the endpoint does not know, in the order sent. Absent if there are none.',
  items: { type: 'string', examples: ['produkt_id'] },
  examples: [['produkt_id']],
};

/** What the gates answer alone, the same for every endpoint. */
const gateResponses: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  405: 'MethodNotAllowed',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  429: 'TooManyRequests',
  500: 'ServerError',
  503: 'Unavailable',
};

function envelopeOf(code: ErrorCode): Json {
  const { status } = errors[code];
  return {
    result: { type: 'string', const: 'fail', description: 'The request was refused.', examples: ['fail'] },
    code: { type: 'string', const: String(status), description: 'The HTTP status.', examples: [String(status)] },
    error: { type: 'string', const: code, description: errors[code].meaning, examples: [code] },
    title: { type: 'string', description: 'A label for people; may be reworded.', examples: ['Unsuccessful'] },
    message: {
      type: 'string',
      description: 'What to do, in one sentence for developers; may be reworded.',
      examples: [messages[code]],
    },
    api_version: { type: 'integer', const: 3, description: 'The version of the API.', examples: [3] },
    livemode: { type: 'boolean', const: false, description: 'In sandbox answers only.', examples: [false] },
    sandbox_simulated: {
      type: 'boolean',
      const: true,
      description: 'A sandbox key asked for this error; nothing happened.',
      examples: [true],
    },
    ignored: IGNORED,
  };
}

/** The body of a code as a live key gets it. */
export const failureExample = (code: ErrorCode): Json => ({
  result: 'fail',
  code: String(errors[code].status),
  error: code,
  title: 'Unsuccessful',
  message: messages[code],
  api_version: 3,
  ...errors[code].sample,
});

/** Writes the answers of failures: a schema and an example per code, and one response for what only the gates answer. */
export class Failures {
  readonly examples: Record<string, Json> = {};
  readonly responses: Record<string, Json> = {};
  readonly #components: Components;

  constructor(components: Components) {
    this.#components = components;
  }

  /** The response of one status. */
  response(status: number, codes: readonly ErrorCode[]): Json {
    const name = gateResponses[status];
    const ofGates = sortedCodes(GATE_ERRORS.filter((code) => errors[code].status === status));
    if (!name || ofGates.join() !== codes.join()) return this.#write(codes);
    this.responses[name] ??= this.#write(codes);
    return { $ref: `#/components/responses/${name}` };
  }

  #write(codes: readonly ErrorCode[]): Json {
    const [first, ...others] = codes.map((code) => this.#schema(code));
    return {
      description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
      headers: everyAnswer(headersOf(codes)),
      content: {
        'application/json': {
          schema: others.length === 0 ? first : { oneOf: [first, ...others] },
          examples: Object.fromEntries(codes.map((code) => [code, this.#example(code)])),
        },
      },
    };
  }

  #schema(code: ErrorCode): Json {
    const sometimes = onlySometimes[code];
    const { sample } = errors[code];
    const ofBatch = batchExtra(code, { ...sample });
    const extra: Readonly<Record<string, unknown>> = {
      ...(sometimes === 'item' && { item: 0 }),
      ...sample,
      ...ofBatch,
    };
    const always = Object.keys(sample).filter((name) => name !== sometimes && name in ofBatch);
    const own = Object.entries(extra).map(([name, sample]) => {
      const written = this.#components.schema(errorField(code, name), `${code}.${name}`);
      return [name, { ...written, examples: [sample] }] as const;
    });
    return this.#components.add(errorName(code), {
      type: 'object',
      title: errorName(code),
      description: errors[code].meaning,
      required: ['result', 'code', 'error', 'title', 'message', 'api_version', ...always],
      properties: { ...envelopeOf(code), ...Object.fromEntries(own) },
    });
  }

  #example(code: ErrorCode): Json {
    this.examples[code] ??= { summary: errors[code].meaning, value: failureExample(code) };
    return { $ref: `#/components/examples/${code}` };
  }
}
