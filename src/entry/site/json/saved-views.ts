import { type SavedView, savedViews, type ViewOwner } from '../../../domains/partners/saved-views/saved-views.ts';
import { step } from '../../../platform/audit/action-keys.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { bigIdOf, type Call, jsonAction, shortText } from './action.ts';

interface Viewers<C extends Call, A extends '/api' | '/operator/api'> {
  readonly at: A;
  /** Where they are kept, and the steps of the request. */
  desk(call: C): Parameters<typeof step>[0];
  owner(call: C): ViewOwner;
}

const LIST_NAME = /^[a-z-]{1,40}$/;
const MAX_NAME = 60;
const MAX_FILTERS = 20;
const nameField = shortText;
const filterFields = Type.Record(
  Type.String({ pattern: '^[a-z_]{1,40}$' }),
  Type.String({ minLength: 1, maxLength: 200 }),
  {
    maxProperties: MAX_FILTERS,
    additionalProperties: false,
  },
);

/** Filters of lists under a name: the same for members and operators, whatever their role, each with their own. */
export const savedViewActions = <C extends Call, A extends '/api' | '/operator/api'>({
  at,
  desk,
  owner,
}: Viewers<C, A>) => [
  jsonAction('GET', `${at}/views`, {
    async handle(call: C) {
      return { body: { views: (await savedViews.list(desk(call).db, owner(call))).map(view) } };
    },
  }),
  jsonAction('POST', `${at}/views`, {
    tier: 'read',
    body: Type.Object({ list: shortText, name: nameField, filters: filterFields }),
    async handle(call: C, { list, name, filters }) {
      if (!LIST_NAME.test(list)) throw new Refused('invalid_input', 'list: no list has this name');
      const wanted = { list, name: requireName(name), filters };
      const saved = await step(desk(call), (tx) => savedViews.save(tx, owner(call), wanted, call.now));
      return { body: view(saved) };
    },
  }),
  jsonAction('POST', `${at}/views/{id}`, {
    tier: 'read',
    body: Type.Object({ name: nameField }),
    async handle(call: C, { name }) {
      const wanted = requireName(name);
      const renamed = await step(desk(call), (tx) => savedViews.rename(tx, owner(call), bigIdOf(call), wanted));
      return { body: view(renamed) };
    },
  }),
  jsonAction('POST', `${at}/views/{id}/delete`, {
    tier: 'read',
    async handle(call: C) {
      await step(desk(call), (tx) => savedViews.remove(tx, owner(call), bigIdOf(call)));
      return { body: {} };
    },
  }),
];

function requireName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME || /\p{C}/u.test(name))
    throw new Refused('invalid_name', `a name has 1 to ${MAX_NAME} characters`);
  return name;
}

const view = ({ id, list, name, filters }: SavedView) => ({ id: String(id), list, name, filters });
