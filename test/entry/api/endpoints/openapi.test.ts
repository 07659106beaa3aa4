import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { errorCodesOf } from '../../../../openapi/error-codes.ts';
import { openapiText } from '../../../../openapi/generate.ts';
import { operationId } from '../../../../openapi/operation.ts';
import { eventNames } from '../../../../src/domains/messages/events/events.ts';
import { webhookHeaders } from '../../../../src/domains/messages/webhooks/send/signature.ts';
import { patternOf } from '../../../../src/entry/api/endpoint.ts';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { type ErrorCode, errors } from '../../../../src/platform/contract/errors.ts';
import { tiers } from '../../../../src/platform/contract/key-terms.ts';
import { CODES_OF_NO_ENDPOINT } from '../../../support/program/contract.ts';

interface Described {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  description?: string;
  examples?: unknown[];
  properties?: Record<string, Described>;
  items?: Described;
  oneOf?: Described[];
  anyOf?: Described[];
  allOf?: Described[];
}
interface Response {
  $ref?: string;
  description: string;
  headers: object;
  content?: {
    'application/json'?: { schema: Described; examples: Record<string, { $ref?: string; value?: unknown }> };
  };
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: Described;
}
interface Operation {
  operationId: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { description: string; content: Record<string, { schema: Described; examples: object }> };
  responses: Record<string, Response>;
}
const document: {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Described>; headers: Record<string, Described> };
} = JSON.parse(openapiText());

/** What a reference points to. */
function resolved<T extends { $ref?: string }>(part: T): T {
  if (!part.$ref) return part;
  const steps = part.$ref.split('/').slice(1);
  return steps.reduce((at: unknown, step) => (at as Record<string, unknown>)[step], document) as T;
}

/** The codes a response can have: each has a schema of its own. */
function codesOf(response: Response): unknown[] {
  const schema = resolved(response).content?.['application/json']?.schema;
  const kinds = schema?.oneOf ?? (schema ? [schema] : []);
  return kinds.flatMap((kind) => resolved(kind).properties?.error?.const ?? []);
}

const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

const ofContract = endpoints.filter(({ isExtension }) => !isExtension);

/** Until the last two endpoints are there. */
const skip = endpoints.length < 20;

suite('openapi.json', () => {
  test('the committed copy is current', async () => {
    const committed = await readFile(new URL('../../../../openapi.json', import.meta.url), 'utf8');
    assert.equal(committed, openapiText(), 'run `npm run openapi` and commit the result');
  });

  test('is valid OpenAPI 3.1 by an independent validator', async () => {
    const validator = new Validator();
    const { valid, errors: problems } = await validator.validate(structuredClone(document));
    assert.deepEqual([valid, problems ?? []], [true, []]);
    assert.equal(validator.version, '3.1');
  });

  test('describes every endpoint once, by its verb and its path parameter', () => {
    assert.equal(operations.length, endpoints.length);
    for (const endpoint of endpoints) {
      const { path, verb, param, tier } = endpoint;
      const operation = document.paths[patternOf(endpoint)]?.[verb.toLowerCase()];
      assert.match(operation?.description ?? '', new RegExp(`\`${tier}\`: ${tiers[tier]} `), path);
      const inPath = operation?.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
      assert.deepEqual(inPath, param ? [param.name] : []);
    }
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length);
  });

  test('every answer declares its headers, and every failure exactly the codes of its status', () => {
    const everywhere = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'];
    for (const endpoint of endpoints) {
      const operation = operations.find((one) => one.operationId === operationId(endpoint));
      const declared = Object.entries(operation?.responses ?? {}).flatMap(([status, response]) => {
        const headers = Object.keys(resolved(response).headers);
        for (const name of everywhere) assert.ok(headers.includes(name), `${endpoint.path} ${status} ${name}`);
        assert.equal(headers.includes('ETag'), Boolean(endpoint.hasTag) && Number(status) < 400);
        assert.equal(headers.includes('Allow'), status === '405');
        assert.equal(headers.includes('Retry-After'), status === '429' || status === '503');
        return codesOf(response).map((code) => `${status} ${code}`);
      });
      const expected = errorCodesOf(endpoint).map((code) => `${errors[code].status} ${code}`);
      assert.deepEqual(declared.sort(), expected.sort());
      assert.equal('304' in (operation?.responses ?? {}), Boolean(endpoint.hasTag));
    }
  });

  test('every tag, field, parameter, header, body and answer is described, with an example', () => {
    const silent: string[] = [];
    const seen = new Set<Described>();
    const look = (part: Described, at: string, isField: boolean) => {
      const schema = resolved(part);
      if (isField && !part.description && !schema.description) silent.push(`${at}: no description`);
      const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
      const inner = schema.properties ?? resolved(schema.items ?? {}).properties ?? parts.find((one) => one.$ref);
      if (isField && !inner && !schema.examples) silent.push(`${at}: no example`);
      if (seen.has(schema)) return;
      seen.add(schema);
      for (const one of parts) look(one, at, false);
      for (const [name, field] of Object.entries(schema.properties ?? {})) look(field, `${at}.${name}`, true);
      if (schema.items) look(schema.items, `${at}[]`, false);
    };
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      if (!schema.description) silent.push(`${name}: no description`);
      look(schema, name, false);
    }
    const all = [...operations, ...Object.values(document.webhooks).flatMap((path) => Object.values(path))];
    for (const { operationId, description, parameters, requestBody, responses } of all) {
      if (!description) silent.push(`${operationId}: no description`);
      for (const parameter of parameters.map(resolved)) {
        if (!parameter.description) silent.push(`${operationId} ${parameter.name}: no description`);
        if (!parameter.schema.examples) silent.push(`${operationId} ${parameter.name}: no example`);
      }
      for (const { schema, examples } of Object.values(requestBody?.content ?? {})) {
        look(schema, `${operationId} body`, false);
        assert.ok(Object.keys(examples).length > 0, `${operationId}: no example of a body`);
      }
      for (const [status, response] of Object.entries(responses)) {
        const { description: said, content } = resolved(response);
        assert.ok(said, `${operationId} ${status}`);
        // A file has no example.
        if (content?.['application/json'])
          assert.ok(Object.keys(content['application/json'].examples).length > 0, `${operationId} ${status}`);
      }
    }
    for (const { name, description } of document.tags) if (!description) silent.push(`tag ${name}`);
    assert.deepEqual(silent, []);
  });

  test('every field that an error carries is typed, and its example is what `sandbox_error` answers', () => {
    for (const [code, { sample }] of Object.entries(errors)) {
      const schema = Object.values(document.components.schemas).find(
        ({ properties }) => properties?.error?.const === code,
      );
      if (code in CODES_OF_NO_ENDPOINT) continue;
      for (const [name, value] of Object.entries(sample)) {
        assert.deepEqual(schema?.properties?.[name]?.examples, [value], `${code}.${name}`);
        const { type, $ref } = schema?.properties?.[name] ?? {};
        assert.ok(type ?? $ref, `${code}.${name}`);
      }
    }
  });

  test('every event is described, with its signature', () => {
    assert.deepEqual(Object.keys(document.webhooks), [...eventNames]);
    for (const { post } of Object.values(document.webhooks)) {
      const headers = post?.parameters.map((one) => resolved(one).name.toLowerCase());
      const sent = webhookHeaders(1n, 'order.test', 'x', { timestamp: '', signature: '', standardSignature: '' });
      const own = Object.keys(sent).filter((name) => !['Content-Type', 'User-Agent'].includes(name));
      assert.deepEqual(
        headers,
        own.map((name) => name.toLowerCase()),
      );
    }
  });
});

suite('error codes', () => {
  test('each matches ^[a-z0-9_]+$ and has a status of the contract and a meaning', () => {
    for (const [code, { status, meaning }] of Object.entries(errors)) {
      assert.match(code, /^[a-z0-9_]+$/);
      assert.ok([400, 401, 402, 403, 404, 405, 409, 413, 415, 429, 500, 503].includes(status), code);
      assert.match(meaning, /^[A-Z`].*\.$/, code);
    }
  });

  test('each is declared by an endpoint or the gates, or is known to come from elsewhere', { skip }, () => {
    const declared = new Set(endpoints.flatMap(errorCodesOf));
    const missing = Object.keys(errors).filter(
      (code) => !declared.has(code as ErrorCode) && !(code in CODES_OF_NO_ENDPOINT),
    );
    assert.deepEqual(missing, []);
    assert.deepEqual(
      Object.keys(CODES_OF_NO_ENDPOINT).filter((code) => declared.has(code as ErrorCode)),
      [],
    );
  });

  test('what an endpoint declares, simulates or answers for its store is a code of the contract, named once', () => {
    for (const { path, errors: own, simulated } of endpoints) {
      for (const list of [own, simulated]) {
        assert.deepEqual(
          list.filter((code) => !(code in errors)),
          [],
          path,
        );
        assert.equal(new Set(list).size, list.length, path);
      }
    }
  });
});

/** The contract's table "Simulating errors", as it stands there. */
const simulatedByContract: Record<string, string> = {
  '/catalog/products': 'country_not_found',
  '/catalog/product': 'product_not_found',
  '/purchase/buy':
    'product_not_found, invalid_price, insufficient_balance, credit_limit_exceeded, partner_account_suspended, charge_in_progress, charge_incomplete, idempotency_key_conflict, sale_insert_failed',
  '/order/get': 'order_read_failed',
  '/order/detail': 'order_not_found, order_read_failed',
  '/order/usage': 'usage_not_available',
  '/account/history': 'history_read_failed',
  '/account/statement': 'partner_account_not_found',
  '/account/topup': 'topup_not_available, amount_out_of_range, topup_failed, topup_record_failed',
  '/account/topupConfirm': 'topup_not_found, topup_confirm_failed',
  '/account/sandboxBalance': 'invalid_operation, amount_required, balance_out_of_range, sandbox_balance_write_failed',
  '/webhook/list': 'webhook_read_failed',
  '/webhook/deliveries': 'delivery_not_found, webhook_read_failed',
  '/webhook/test':
    'no_subscription, subscription_not_found, no_active_subscription, test_enqueue_failed, webhook_read_failed',
  '/webhook/probe': 'probe_blocked, probe_unavailable',
};

/** What purchases simulate beside that. */
const ofPurchases = 'price_changed, limit_exceeded';
const simulatedOfBuy = `${simulatedByContract['/purchase/buy']}, ${ofPurchases}`;

/** The contract's table "Rate limits", with account/pricing in `read`. */
const tiersByContract: Record<string, string> = {
  catalog: '/catalog/countries /catalog/products /catalog/product',
  read: '/order/get /order/detail /order/usage /account/balance /account/history /account/statement /account/profitshare /account/pricing /webhook/list /webhook/deliveries',
  purchase: '/purchase/buy /account/sandboxReset /account/sandboxBalance',
  money: '/account/topup /account/topupConfirm',
  outbound: '/webhook/test /webhook/probe',
};

/** What we add beside the contract: tier, and the codes each endpoint simulates beyond the four. */
const extensions: Record<string, [tier: string, simulated?: string]> = {
  '/esim/list': ['read'],
  '/esim/detail': ['read', 'esim_not_found'],
  '/esim/refills': ['catalog', 'esim_not_found'],
  '/purchase/refill': ['purchase', `${simulatedOfBuy}, esim_not_found, invalid_refill`],
  '/purchase/batch': ['purchase', simulatedOfBuy],
  '/purchase/batch/{id}': ['read', 'batch_not_found, order_read_failed'],
  '/purchase/quote': ['read', 'esim_not_found, invalid_refill'],
  '/account/limits': ['read'],
  '/invoice/list': ['read'],
  '/invoice/detail': ['read', 'invoice_not_found'],
  '/invoice/pdf': ['read', 'invoice_not_found'],
  '/invoice/xml': ['read', 'invoice_not_found'],
  '/sandbox/invoice': ['money', 'invoice_not_found'],
  '/catalog/export': ['catalog'],
  '/catalog/changes': ['catalog'],
  '/catalog/devices': ['catalog'],
  '/order/cancel': ['money', 'order_not_found'],
  '/esim/replace': ['purchase', 'esim_not_found, not_replaceable, idempotency_key_conflict'],
  '/esim/autorefill': [
    'money',
    'iccid_required, esim_not_found, invalid_refill, product_not_found, invalid_at_percent, invalid_times, invalid_max_price',
  ],
  '/esim/suspend': ['money', 'iccid_required, esim_not_found, esim_not_active, not_supported'],
  '/esim/resume': ['money', 'iccid_required, esim_not_found, esim_not_active, not_supported'],
  '/sandbox/profile': ['money', 'iccid_required, esim_not_found, invalid_state, invalid_country'],
  '/order/refund': ['money', 'order_not_found, order_not_refundable'],
  '/webhook/create': ['outbound', 'url_blocked, url_already_subscribed, subscription_limit_reached'],
  '/webhook/update': ['outbound', 'subscription_not_found, url_blocked, url_already_subscribed'],
  '/webhook/pause': ['money', 'subscription_not_found'],
  '/webhook/resume': ['money', 'subscription_not_found'],
  '/webhook/rotate': ['money', 'subscription_not_found'],
  '/webhook/delete': ['money', 'subscription_not_found'],
  '/sandbox/clock': ['money', 'clock_too_far'],
};

suite('what we add', () => {
  test('every addition is marked as one, in its tier and with its own simulated codes', () => {
    const added = endpoints.filter(({ isExtension }) => isExtension);
    assert.deepEqual(added.map(({ path }) => path).toSorted(), Object.keys(extensions).toSorted());
    for (const { path, tier, simulated } of added) {
      const [itsTier, codes = ''] = extensions[path] ?? [''];
      assert.deepEqual([tier, simulated.toSorted()], [itsTier, codes.split(', ').filter(Boolean).toSorted()], path);
    }
  });

  test('in the document it has the tag `extensions`, and nothing of the contract has it', () => {
    for (const { path, isExtension } of endpoints) {
      const { tags } = operations.find((one) => one.operationId === operationId({ path })) ?? {};
      assert.deepEqual(tags, [isExtension ? 'extensions' : path.split('/')[1]]);
    }
  });
});

suite("the contract's tables", () => {
  test('every endpoint is in its tier, and none is missing', { skip }, () => {
    for (const [tier, paths] of Object.entries(tiersByContract)) {
      const declared = ofContract.filter((endpoint) => endpoint.tier === tier).map(({ path }) => path);
      assert.deepEqual(declared.toSorted(), paths.split(' ').toSorted(), tier);
    }
    assert.deepEqual(tiers, { catalog: 900, read: 360, purchase: 150, money: 30, outbound: 18 });
  });

  test('every endpoint simulates exactly the codes the contract lists for it, a purchase also those of ceilings and limits', () => {
    const added = ofPurchases.split(', ');
    for (const { path, simulated: all } of ofContract) {
      const simulated = path === '/purchase/buy' ? all.filter((code) => !added.includes(code)) : all;
      assert.deepEqual(
        simulated.toSorted(),
        (simulatedByContract[path] ?? '').split(', ').filter(Boolean).toSorted(),
        path,
      );
    }
  });
});
