import { plain } from '../../../actions/result.ts';
import { addSupplier, changeSupplier } from '../../../actions/supply/supplier-accounts.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { shortText } from '../../site/json/action.ts';
import { type OperatorAction, operatorAction } from '../action.ts';

/** By the names of the kind's fields; null removes an optional one, fields not named stay. */
const settings = Type.Record(Type.String({ maxLength: 40 }), Type.Union([shortText, Type.Null()]));

/** Accounts at suppliers. Credentials can be entered here and are never shown. */
export const supplierAccountActions: readonly OperatorAction[] = [
  operatorAction({
    verb: 'POST',
    path: '/operator/api/suppliers/add',
    may: 'manage',
    fresh: true,
    noCommand: '`supplier add` reads a file; a page sends the settings',
    body: Type.Object({ supplier: shortText, kind: shortText, title: shortText, settings }),
    async handle({ context }, { supplier: slug, ...given }) {
      return { body: { result: plain(await addSupplier(context, context, { slug, ...given })) } };
    },
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/suppliers/account',
    may: 'manage',
    fresh: true,
    noCommand: '`supplier set` reads a file; a page sends the settings',
    body: Type.Object({ supplier: shortText, title: shortText, settings }),
    async handle({ context }, { supplier, ...changed }) {
      return { body: { result: plain(await changeSupplier(context, context, supplier, changed)) } };
    },
  }),
];
