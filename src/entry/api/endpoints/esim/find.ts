import type { Esim } from '../../../../domains/sales/esims/esims.ts';
import { described, said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { requiredText } from '../../../../platform/contract/fields.ts';
import { ICCID } from '../../../../platform/contract/ids.ts';
import type { Context, PathParam } from '../../endpoint.ts';

export const iccidParam: PathParam = {
  name: 'iccid',
  missing: 'iccid_required',
  schema: said.text('The number of the eSIM.'),
};

export const iccidField = described('The number of the eSIM.', requiredText('iccid_required'), {
  example: '8900012345678901234',
});

/** The partner's eSIM. Text that cannot be an ICCID is answered as not found without a query. */
export async function requireEsim({ world, partnerId, now }: Context, iccid: string): Promise<Esim> {
  const esim = ICCID.test(iccid) ? await world.esims.find(partnerId, iccid, now) : undefined;
  if (!esim) throw fail('esim_not_found');
  return esim;
}
