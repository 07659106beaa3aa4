import { type TSchema, Type } from '../../platform/contract/schema.ts';
import { products } from '../api/endpoints/catalog/products.ts';
import { countrySchema } from '../api/endpoints/catalog/rows.ts';
import { DeliveryList } from '../api/endpoints/webhook/deliveries.ts';
import { endpoints } from '../api/endpoints.ts';
import { type Args, outputOf, type Tool, words } from './tool.ts';

/** More rows than this are of no use to a reader; the next page is one call away. */
const MAX_ROWS = 50;
const DEFAULT_ROWS = 20;

/** With these an eSIM can be installed, and the first phone to install it gets the line. */
const activation = new Set([
  'qrcode',
  'qrcode_url',
  'lpa',
  'matching_id',
  'smdpAddress',
  'activationCode',
  'confirmation_code',
  'direct_apple_installation_url',
  'share_url',
  'msisdn',
]);

interface Reads {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly path: string;
  /** The fields of the endpoint that it takes; the path parameter is taken anyway. */
  readonly fields?: readonly string[];
  /** The argument for the path parameter, where that has a name which says too little. */
  readonly argument?: string;
  /** Where it differs from what the endpoint answers. */
  readonly answers?: TSchema;
  shown?(body: Record<string, unknown>, args: Args): Record<string, unknown>;
  /** Only this: activation data is a secret. */
  readonly showsActivation?: true;
}

/** A tool that reads one endpoint and takes its fields, in the endpoint's own words. */
function reads({
  name,
  title,
  description,
  path,
  fields = [],
  argument,
  answers,
  shown,
  showsActivation,
}: Reads): Tool {
  const endpoint = endpoints.find((known) => known.path === path);
  if (!endpoint) throw new Error(`no endpoint ${path}`);
  const { param } = endpoint;
  const named = argument ?? param?.name ?? '';
  const taken = fields.map((field) => {
    const known = endpoint.fields[field];
    if (!known) throw new Error(`${path} has no field ${field}`);
    const ours = plain.has(field) ? { ...known.schema, description: undefined } : known.schema;
    const schema = field === 'limit' ? rows : ours;
    return [field, { schema, required: known.required }] as const;
  });
  return {
    name,
    title,
    description,
    permission: 'read',
    output: outputOf(answers ?? endpoint.reply),
    input: { ...(param && { [named]: { schema: param.schema, required: true } }), ...Object.fromEntries(taken) },
    async run(agent, args) {
      const sent = Object.fromEntries(Object.entries(args).filter(([field]) => fields.includes(field)));
      if (fields.includes('limit')) sent.limit = rowsOf(args.limit);
      const answer = await agent.api(path, { param: param && args[named], fields: sent });
      if (answer.isError) return answer;
      const body = shown ? shown(answer.body, args) : answer.body;
      return { isError: false, body: showsActivation ? body : withoutActivation(body) };
    },
  };
}

/** What their names say already. */
const plain = new Set(['day', 'min_day', 'max_day', 'min_price', 'max_price', 'order', 'offset', 'subscription_id']);

const rows = Type.Integer({ description: `At most ${MAX_ROWS}; ${DEFAULT_ROWS} by default.` });

/** Reduced to what is allowed; what is not a number the API refuses. */
const rowsOf = (limit: string | undefined): string =>
  /^\d+$/.test(limit ?? '') ? String(Math.min(Number(limit), MAX_ROWS)) : (limit ?? String(DEFAULT_ROWS));

export function withoutActivation<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutActivation) as T;
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name]) => !activation.has(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutActivation(inner)])) as T;
}

const destinations: Tool = {
  ...reads({
    name: 'find_destinations',
    title: 'Find destinations',
    description:
      'Countries and regions that plans are sold for, at most fifty. Give part of a name or a code to find the code that search_catalog takes.',
    path: '/catalog/countries',
    answers: Type.Object({
      matched: Type.Integer(),
      countries: Type.Array(countrySchema),
    }),
    shown({ countries }, { name = '' }) {
      const wanted = name.toLowerCase();
      const found = (countries as Record<string, unknown>[]).filter((row) =>
        ['country_code', 'title', 'slug'].some((field) => String(row[field]).toLowerCase().includes(wanted)),
      );
      return { matched: found.length, countries: found.slice(0, MAX_ROWS) };
    },
  }),
  input: { name: words('Part of a name or a code, e.g. "fra"; without it the first fifty.') },
};

/** Of the catalog's filters, those that no person asks for. */
const tooFine = ['usage_metered', 'include_small', 'all_variants'];

export const readTools: readonly Tool[] = [
  destinations,
  reads({
    name: 'search_catalog',
    title: 'Search the catalogue',
    description:
      'Plans of one destination with your price in USD, cheapest first unless sorted otherwise, with networks, when the days begin, refills, identity check, APN, calls and texts, days to install it in.',
    path: '/catalog/products',
    fields: Object.keys(products.fields).filter((name) => !tooFine.includes(name)),
  }),
  reads({
    name: 'list_devices',
    title: 'Find phones that take an eSIM',
    description:
      'Phones and tablets that take an eSIM, by words of brand and model: the first fifty of count. A phone that is not listed may take one, too: its settings say so.',
    path: '/catalog/devices',
    fields: ['search'],
    shown: ({ devices, ...rest }) => ({ ...rest, devices: (devices as unknown[]).slice(0, MAX_ROWS) }),
  }),
  reads({
    name: 'quote',
    title: 'Quote',
    description:
      'What a purchase, or with iccid a refill, would cost now, and whether it would go through. Buys nothing.',
    path: '/purchase/quote',
    fields: ['product_id', 'iccid'],
  }),
  reads({
    name: 'list_orders',
    title: 'List orders',
    description: 'Orders, newest first, without activation data. Failed ones only with status=failed.',
    path: '/order/get',
    fields: ['status', 'reference', 'iccid', 'product_id', 'from', 'to', 'before_id', 'limit'],
  }),
  reads({
    name: 'get_order',
    title: 'Read one order',
    description:
      'One order (status 1: delivered, 2: failed, or cancelled if `cancel` says so, 3: not paid yet, 4: paid, on its way) with its activation data. That is a secret: whoever installs it first owns the line. Show it only to the traveller it is for.',
    path: '/order/detail',
    argument: 'order_id',
    showsActivation: true,
  }),
  reads({
    name: 'list_esims',
    title: 'List eSIMs',
    description:
      'eSIMs with the usage figures last read, what is known of the phone, and what can be asked for; newest first.',
    path: '/esim/list',
    fields: ['state', 'before_id', 'limit'],
  }),
  reads({
    name: 'get_usage',
    title: 'Read usage',
    description: 'Data used and left of one eSIM; may be a minute or two old.',
    path: '/order/usage',
  }),
  reads({
    name: 'list_refills',
    title: 'List refills',
    description: 'Refills that can be added to one eSIM, with your price in USD.',
    path: '/esim/refills',
  }),
  reads({
    name: 'get_balance',
    title: 'Read the balance',
    description: 'What the wallet can spend now, in USD.',
    path: '/account/balance',
  }),
  reads({
    name: 'get_limits',
    title: 'Read the limits',
    description: 'What this key may spend, and what is used of it.',
    path: '/account/limits',
  }),
  reads({
    name: 'list_deliveries',
    title: 'List webhook deliveries',
    description: 'The webhook delivery log, newest first, without the bodies.',
    path: '/webhook/deliveries',
    answers: DeliveryList,
    fields: ['status', 'event', 'subscription_id', 'limit'],
  }),
];
