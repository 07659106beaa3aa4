import {
  accountSubject,
  addingSupplier,
  addSupplier,
  changeSupplier,
  requireAddable,
} from '../../../actions/supply/supplier-accounts.ts';
import { plain } from '../../../platform/contract/json.ts';
import { type Static, Type } from '../../../platform/contract/schema.ts';
import { shortText } from '../../site/json/action.ts';
import { operatorChange } from '../action.ts';
import { type CarriedOut, carryOut, type Guarded } from '../four-eyes.ts';

/** By the names of the kind's fields; null removes an optional one, fields not named stay. */
const settings = Type.Record(Type.String({ maxLength: 40 }), Type.Union([shortText, Type.Null()]));

const newAccount = Type.Object({ supplier: shortText, kind: shortText, title: shortText, settings });
const accountChange = Type.Object({ supplier: shortText, title: shortText, settings });

const shownDone = (done: CarriedOut) => ('proposal' in done ? done : { result: plain(done.result) });
/** Credentials are among the settings, so only their names are shown. */
const named = (of: Static<typeof settings>): string => Object.keys(of).join(', ') || 'none';

/** Credentials that a page sends, which a second operator may have to approve. */
const addedAccount: Guarded<Static<typeof newAccount>> = {
  name: 'supplier add',
  may: 'manage',
  async subject(context, { supplier: slug, ...given }) {
    requireAddable({ slug, ...given });
    return addingSupplier(context, { slug, ...given });
  },
  run: (context, { supplier: slug, ...given }) => addSupplier(context, context, { slug, ...given }),
  shown: ({ supplier, kind, title, settings: of }) => ({
    Supplier: supplier,
    Kind: kind,
    Title: title,
    Settings: named(of),
  }),
};
const changedAccount: Guarded<Static<typeof accountChange>> = {
  name: 'supplier account',
  may: 'manage',
  subject: (context, { supplier, title, settings: of }) =>
    accountSubject(context, supplier, `Change the account at ${title} (${supplier}): ${named(of)}`),
  run: (context, { supplier, ...changed }) => changeSupplier(context, context, supplier, changed),
  shown: ({ supplier, title, settings: of }) => ({ Supplier: supplier, Title: title, Settings: named(of) }),
};
export const guardedAccounts = [addedAccount, changedAccount] as const;

/** Accounts at suppliers. Credentials can be entered here and are never shown. */
export const supplierAccountActions = [
  operatorChange('/operator/api/suppliers/add', {
    may: 'manage',
    fresh: true,
    noCommand: '`supplier add` reads a file; a page sends the settings',
    body: newAccount,
    handle: async (call, given) => ({ body: shownDone(await carryOut(call, addedAccount, given)) }),
  }),
  operatorChange('/operator/api/suppliers/account', {
    may: 'manage',
    fresh: true,
    noCommand: '`supplier set` reads a file; a page sends the settings',
    body: accountChange,
    handle: async (call, given) => ({ body: shownDone(await carryOut(call, changedAccount, given)) }),
  }),
];
