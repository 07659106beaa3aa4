import assert from 'node:assert/strict';
import { Compile, type Validator } from 'typebox/schema';
import { errorCodesOf } from '../../../openapi/error-codes.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import { Router } from '../../../src/entry/api/gates/route.ts';
import { type ErrorCode, errors } from '../../../src/platform/contract/errors.ts';
import { batchExtra, onlySometimes } from '../../../src/platform/contract/failure.ts';
import { JSON_AS_FORM, messagesOf } from '../../../src/platform/contract/messages.ts';

/** Codes no endpoint answers: the router does, or a part of the product that is not this API. */
export const CODES_OF_NO_ENDPOINT: Partial<Record<ErrorCode, string>> = {
  unknown_endpoint: 'the router: there is no endpoint to declare it',
  unknown_method: 'the router: there is no endpoint to declare it',
  mode_immutable: 'nothing in the API names the mode of a subscription: the key does',
  not_postpaid: "postpaid-only operations are the operator's",
  sandbox_unsupported_action: 'the sandbox simulates every action there is',
};

const router = new Router(endpoints);
const replies = new Map<string, Validator>();
const ENVELOPE = [
  'result',
  'code',
  'error',
  'title',
  'message',
  'api_version',
  'livemode',
  'sandbox_simulated',
  'ignored',
];

/**
 * Every answer any test gets is checked against the endpoint's declaration: a success against its schema and its statuses, a
 * failure against its codes and the code's own fields. `path` is below the base path.
 */
// biome-ignore lint/suspicious/noExplicitAny: the body is what is being checked.
export function holdsToContract(path: string, status: number, body: any): void {
  const { endpoint } = router.find(path);
  if (!endpoint) return;
  if (body.result === 'ok') {
    assert.ok((endpoint.statuses ?? [200]).includes(status as 200), `${endpoint.path} declares no ${status}`);
    const reply = replies.get(endpoint.path) ?? Compile(endpoint.reply);
    replies.set(endpoint.path, reply);
    // Explaining an error takes many times longer than checking that there is none.
    if (!reply.Check(body)) assert.deepEqual([endpoint.path, reply.Errors(body)], [endpoint.path, [true, []]]);
    return;
  }
  const code: ErrorCode = body.error;
  assert.ok(errorCodesOf(endpoint).includes(code), `${endpoint.path} does not declare ${code}`);
  assert.ok([...messagesOf(code), JSON_AS_FORM].includes(body.message), `the message of ${code}: ${body.message}`);
  // Of a batch, a refusal names the item, and no order.
  const sometimes = endpoint.path === '/purchase/batch' ? onlySometimes[code] : undefined;
  const fields = Object.keys(body).filter((name) => !ENVELOPE.includes(name) && name !== sometimes);
  const { sample } = errors[code];
  const expected = Object.keys(endpoint.isBatch ? batchExtra(code, { ...sample }) : sample).filter(
    (name) => name !== sometimes,
  );
  assert.deepEqual(fields.sort(), expected.sort(), `the fields of ${code}`);
}
