import { maskKey } from '../../domains/partners/keys/keys.ts';
import type { ActivityEntry } from '../../platform/audit/audit-log.ts';
import {
  type Part,
  partnerSentenceOf,
  type State,
  sentenceOf,
  type Thing,
  usd,
} from '../../platform/audit/sentences.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { orderStatus, subscriptionStatus } from './status-words.ts';

export type { Thing } from '../../platform/audit/sentences.ts';

/*
 * An entry of the audit log in words, for operators in the console and for a partner's members in the panel. The sentences
 * themselves are in `platform/audit/sentences.ts`.
 */

type Entry = Omit<ActivityEntry, 'id' | 'at' | 'who'>;

/** A field that was changed; null: there was, or is, nothing. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Ids are in the sentence; the others are not changed by people. */
const UNSAID =
  /^(mode|.+_id|partnerId|created_at|invited_at|updated_at|billing_opened_at|last_(used|sign_in)_at|refused_(at|address)|approved_by|secret_mask|last4)$/;
const MONEY =
  /^(balance|promo|cash|debt|amount|refunded|share_taken_back|price|list_price|cost|max_cost|credit_limit|balance_alert)$/;

/** What somebody changed: a sentence without its subject, and below it the fields that the sentence does not name. */
export function auditWords(entry: Entry, partners: ReadonlyMap<number, string>) {
  const [was, is] = [stateOf(entry, 'before'), stateOf(entry, 'after')];
  const changes = changesOf(was, is);
  const approver = typeof is.approved_by === 'string' ? `, approved by ${authorOf(is.approved_by).name}` : '';
  const { parts, said } = sentenceOf(entry.what, {
    partner: partnerOf(entry, partners),
    target: targetOf(entry, { ...was, ...is }, partners),
    about: aboutOf(entry.target, { ...was, ...is }).replace(/^(stock of|stock|topup|eSIM|address|supplier) /, ''),
    was,
    is,
    changed: changes.map(({ name }) => name),
  });
  return {
    sentence: [...parts, approver]
      .filter((part) => part !== '')
      .map((part): { text: string; of: Thing | null } => (typeof part === 'string' ? { text: part, of: null } : part)),
    difference: changes
      .filter(({ name }) => !said.includes(name))
      .map(({ name, before, after }): FieldChange => ({ field: labelOf(name), before, after })),
  };
}

/** A change of a field that a partner's members may see. */
interface PartnerFieldChange extends FieldChange {
  readonly label: string;
}

/**
 * The same for the members of the partner it concerns, who see only these fields: the sentence is made from nothing else, and does
 * not name the partner. `isOperator`: it was done by the operator of this server.
 */
export function partnerAuditWords(entry: Entry, fields: readonly string[], isOperator: boolean) {
  const [before, after] = [stateOf(entry, 'before'), stateOf(entry, 'after')];
  const [was, is] = [pick(before, fields), pick(after, fields)];
  const about = aboutOf(entry.target, { ...before, ...after });
  const facts = { partner: '', target: about, about, was, is, changed: [] };
  const { parts } = partnerSentenceOf(entry.what, facts, isOperator);
  const sentence = parts.map((part) => (typeof part === 'string' ? part : part.text)).join('');
  return {
    about,
    sentence: sentence.replace(/^./, (first) => first.toUpperCase()),
    changes: fields.flatMap((field): PartnerFieldChange[] => {
      const [old, now] = [textOf(field, was[field]), textOf(field, is[field])];
      return old === now ? [] : [{ field, label: labelOf(field), before: old, after: now }];
    }),
  };
}

const pick = (state: State, fields: readonly string[]): State =>
  Object.fromEntries(fields.flatMap((name) => (name in state ? [[name, state[name]]] : [])));

const stateOf = (entry: Entry, side: 'before' | 'after'): State => {
  const state = stateIn(entry.target, withoutSecrets(entry[side]));
  return Array.isArray(state) ? {} : state;
};

export const isFields = (value: unknown): value is State => value !== null && typeof value === 'object';

/** The log keeps the contract's numbers for statuses; here they are words. */
export function stateIn(target: string, state: unknown): State {
  if (!isFields(state)) return {};
  const { status, delivery } = state;
  if (typeof status !== 'number') return state;
  if (target.startsWith('subscription ')) return { ...state, status: subscriptionStatus(status) };
  return typeof delivery === 'string' ? { ...state, status: orderStatus({ status, delivery }) } : state;
}

/** What it was done to, as people know it; otherwise as the log calls it. */
function aboutOf(target: string, { email, url, last4, mode, name }: State): string {
  if (target.startsWith('partner ')) return '';
  if (typeof last4 === 'string') {
    const mask = maskKey(mode as Mode, last4);
    return typeof name === 'string' && name !== '' ? `${name} (${mask})` : mask;
  }
  const known = email ?? url;
  return typeof known === 'string' ? known : target.replace('subscription', 'webhook');
}

function partnerOf({ partnerId }: Entry, partners: ReadonlyMap<number, string>): Part {
  if (partnerId === null) return 'a partner';
  return { text: partners.get(partnerId) ?? `partner ${partnerId}`, of: { kind: 'partner', id: partnerId } };
}

function targetOf({ target }: Entry, state: State, partners: ReadonlyMap<number, string>): Part {
  const [, world, kind, id = ''] = /^(sandbox )?(partner|order|product|supplier|address) (\S+)$/.exec(target) ?? [];
  switch (kind) {
    case 'partner':
      return { text: partners.get(Number(id)) ?? target, of: { kind, id: Number(id) } };
    case 'order':
      return { text: target, of: { kind, id, mode: world || state.mode === 'sandbox' ? 'sandbox' : 'live' } };
    case 'product':
      return { text: typeof state.title === 'string' ? state.title : id, of: { kind, id } };
    case 'supplier':
      return { text: id, of: { kind: 'page', id: 'suppliers' } };
    default:
      return kind === 'address' ? id : target;
  }
}

function changesOf(was: State, is: State) {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) => {
    const [before, after] = [textOf(name, was[name]), textOf(name, is[name])];
    return before === after || UNSAID.test(name) ? [] : [{ name, before, after }];
  });
}

function textOf(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return null;
    if (name === 'limits') return value.map(limitText).join('; ');
    return value.some((one) => one !== null && typeof one === 'object') ? `${value.length} listed` : value.join(', ');
  }
  if (typeof value === 'object') {
    const inner = Object.entries(value).flatMap(([key, one]) => {
      const text = textOf(key, one);
      return text === null ? [] : [`${labelOf(key).toLowerCase()} ${text}`];
    });
    return inner.join(', ') || null;
  }
  const text = String(value);
  if (MONEY.test(name) && /^-?\d+(\.\d+)?$/.test(text)) return usd(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? `${timestamp(new Date(text))} UTC` : text;
}

/** A spending limit: “$900.00 per order”, “2000 orders per hour”. */
function limitText(limit: unknown): string | null {
  if (!isFields(limit) || typeof limit.per !== 'string') return textOf('', limit);
  return `${typeof limit.count === 'number' ? `${limit.count} orders` : usd(String(limit.amount))} per ${limit.per}`;
}

const labels: Readonly<Record<string, string>> = {
  mode: 'World',
  allow_list: 'Allowed IP addresses',
  permissions: 'May only',
  expires_at: 'Expires',
  tier_ceilings: 'Rate limits',
  limits: 'What may be spent',
  resent: 'Deliveries sent again',
  display_name: 'Name shown',
  color: 'Colour',
  support_url: 'Support page',
  refill_url: 'Refill page',
  allows_replacement: 'New eSIM without asking',
  rate: 'Rate to the dollar',
  markup: 'Markup in percent',
  ending: 'Prices end with',
  ahead_seconds: 'Seconds ahead of real time',
  billing_mode: 'Billing',
  margin_share_pct: 'Margin share (%)',
  revenue_share_pct: 'Revenue share (%)',
  markup_pct: 'Markup (%)',
  url: 'URL',
  vat_id: 'VAT id',
  net_days: 'Days until invoices are due',
};

/** `credit_limit` is “Credit limit”. */
const labelOf = (name: string): string =>
  labels[name] ?? name.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());

/** Who it was, by their readable name, and where. */
export function authorOf(who: string): { readonly name: string; readonly via: string } {
  const [, kind, name = ''] = /^(operator|member|key):(.+)$/.exec(who) ?? [];
  switch (kind) {
    case 'operator':
      return { name, via: 'console' };
    case 'member':
      return { name, via: 'panel' };
    case 'key':
      return { name: `API key ${name}`, via: 'API' };
    default:
      return { name: who, via: 'command line' };
  }
}

/** Fields that hold a secret. Masks and last digits are safe. */
const SECRET = /secret|password|token|hash|totp|recovery|activation|matching_?id|confirmation_?code/i;
const NAMES_ONE = /mask|last_?4/i;

/** A state from the audit log without anything that could be a secret. The log has none; this is a second line of defence. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET.test(name) && !NAMES_ONE.test(name) && typeof inner === 'string' ? '(hidden)' : withoutSecrets(inner),
    ]),
  );
}
