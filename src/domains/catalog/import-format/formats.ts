import { Compile } from 'typebox/schema';
import { type Static, type TSchema, Type } from '../../../platform/contract/schema.ts';
import { networkTypes, scopes, supplierKinds } from './vocabulary.ts';

/** The import file of docs/catalog-import.md. Unknown fields are rejected, so that a misspelt one is not silently ignored. */
const strict = { additionalProperties: false } as const;

/** A decimal number, or the same as a string where every digit matters. How much it may be is said where it is read. */
const money = Type.Union([Type.Number({ minimum: 0 }), Type.String({ pattern: '^\\d{1,20}(\\.\\d{1,6})?$' })]);
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
const text = Type.String({ maxLength: 2_000 });
const title = Type.String({ minLength: 1, maxLength: 200 });
/** Countries, with room for codes that are not official. */
const MOST_COUNTRIES = 300;
const MOST_LINES = 100;
const MOST_REFILLED = 10_000;

const destinationFormat = Type.Object(
  {
    code: Type.String({ pattern: '^([A-Z]{2}|[a-z0-9-]{3,40})$' }),
    scope: Type.Enum([...scopes]),
    title,
    slug: Type.String({ pattern: '^[a-z0-9-]{3,40}$' }),
    region: Type.Optional(Type.String({ maxLength: 40 })),
    continent: Type.Optional(text),
  },
  strict,
);

const supplierFormat = Type.Object(
  {
    slug: Type.String({ pattern: '^[a-z0-9-]{2,40}$' }),
    title,
    kind: Type.Enum([...supplierKinds]),
  },
  strict,
);

const operatorFormat = Type.Object(
  {
    title: Type.Optional(text),
    image: Type.Optional(text),
    networks: Type.Optional(Type.Array(text, { maxItems: 200 })),
    activation_policy: Type.Optional(text),
    plan_type: Type.Optional(text),
    esim_type: Type.Optional(text),
    is_roaming: Type.Optional(Type.Boolean()),
    is_kyc_verify: Type.Optional(Type.Boolean()),
    rechargeability: Type.Optional(Type.Boolean()),
    apn_type: Type.Optional(text),
    apn_value: Type.Optional(nullable(text)),
    info: Type.Optional(Type.Array(text, { maxItems: MOST_LINES })),
    other_info: Type.Optional(nullable(text)),
    warning: Type.Optional(nullable(text)),
  },
  strict,
);

const planFormat = Type.Object(
  {
    code: Type.String({ minLength: 1, maxLength: 200 }),
    destination: Type.String({ maxLength: 40 }),
    title,
    amount: Type.Integer({ minimum: 0, maximum: 10_485_760 }),
    day: Type.Integer({ minimum: 1, maximum: 3_650 }),
    is_unlimited: Type.Optional(Type.Boolean()),
    network_type: Type.Enum([...networkTypes]),
    price: money,
    cost: Type.Optional(nullable(money)),
    is_usage_metered: Type.Optional(Type.Boolean()),
    coverage: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { minItems: 1, maxItems: MOST_COUNTRIES }),
    ),
    fup_kind: Type.Optional(text),
    fup_daily_mb: Type.Optional(count),
    fup_speed_kbps: Type.Optional(count),
    fair_use_text: Type.Optional(text),
    voice: Type.Optional(nullable(count)),
    text: Type.Optional(nullable(count)),
    short_info: Type.Optional(nullable(text)),
    install_window_days: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3_650 }))),
    operator: Type.Optional(operatorFormat),
    on_sale: Type.Optional(Type.Boolean()),
    refills: Type.Optional(
      nullable(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MOST_REFILLED })),
    ),
  },
  strict,
);

export type DestinationEntry = Static<typeof destinationFormat>;
export type SupplierEntry = Static<typeof supplierFormat>;
export type OperatorEntry = Static<typeof operatorFormat>;
export type PlanEntry = Static<typeof planFormat>;

const validators = {
  destination: Compile(destinationFormat),
  supplier: Compile(supplierFormat),
  plan: Compile(planFormat),
};

/** Why an entry does not fit its format; undefined when it does. */
export function formatProblem(kind: keyof typeof validators, entry: unknown): string | undefined {
  if (validators[kind].Check(entry)) return unprintable(entry, kind);
  const [, [first]] = validators[kind].Errors(entry);
  if (!first) return 'does not fit the format';
  const field = first.instancePath.slice(1).replaceAll('/', '.') || kind;
  return first.keyword === 'boolean' ? `${field} is not a known field` : `${field} ${first.message}`;
}

/** Lines may end, and columns may be set apart. Other control characters show nothing, and the database cannot store all of them. */
const UNPRINTABLE = /(?![\t\n\r])\p{Cc}|\p{Cs}/u;

/** The first text in an entry that cannot be printed, as a problem. Halves of a character cannot be, either. */
function unprintable(value: unknown, field: string): string | undefined {
  if (typeof value === 'string')
    return UNPRINTABLE.test(value) ? `${field} has characters that cannot be printed` : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const problem = unprintable(inner, Array.isArray(value) ? field : name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
