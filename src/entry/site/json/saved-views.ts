import { type SavedView, savedViews, type ViewOwner } from '../../../domains/partners/saved-views/saved-views.ts';
import { step } from '../../../platform/audit/action-keys.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { bigIdOf, type Call, type JsonAction, shortText } from './action.ts';

interface Viewers<C extends Call> {
  readonly at: '/api' | '/operator/api';
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
export const savedViewActions = <C extends Call>({ at, desk, owner }: Viewers<C>) => {
  const list: JsonAction<C> = {
    verb: 'GET',
    path: `${at}/views`,
    async handle(call) {
      return { body: { views: (await savedViews.list(desk(call).db, owner(call))).map(view) } };
    },
  };
  const body = Type.Object({
    list: shortText,
    name: nameField,
    filters: filterFields,
  });
  const save: JsonAction<C, typeof body> = {
    verb: 'POST',
    path: `${at}/views`,
    tier: 'read',
    body,
    async handle(call, { list, name, filters }) {
      if (!LIST_NAME.test(list)) throw new Refused('invalid_input', 'list: no list has this name');
      const wanted = { list, name: requireName(name), filters };
      const saved = await step(desk(call), (tx) => savedViews.save(tx, owner(call), wanted, call.now));
      return { body: view(saved) };
    },
  };
  const named = Type.Object({ name: nameField });
  const rename: JsonAction<C, typeof named> = {
    verb: 'POST',
    path: `${at}/views/{id}`,
    tier: 'read',
    body: named,
    async handle(call, { name }) {
      const wanted = requireName(name);
      const renamed = await step(desk(call), (tx) => savedViews.rename(tx, owner(call), bigIdOf(call), wanted));
      return { body: view(renamed) };
    },
  };
  const remove: JsonAction<C> = {
    verb: 'POST',
    path: `${at}/views/{id}/delete`,
    tier: 'read',
    async handle(call) {
      await step(desk(call), (tx) => savedViews.remove(tx, owner(call), bigIdOf(call)));
      return { body: {} };
    },
  };
  return [list, save, rename, remove] as unknown as readonly JsonAction<C>[];
};

function requireName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME || /\p{C}/u.test(name))
    throw new Refused('invalid_name', `a name has 1 to ${MAX_NAME} characters`);
  return name;
}

const view = ({ id, list, name, filters }: SavedView) => ({ id: String(id), list, name, filters });

export type SavedViewView = ReturnType<typeof view>;
