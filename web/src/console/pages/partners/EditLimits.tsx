import { FormDialog } from '../../../parts/FormDialog.tsx';
import { LimitFields } from '../../../subjects/limits/LimitFields.tsx';
import { useAction } from '../../api/actions.ts';
import { allPartners, type Partner } from '../../api/partners.ts';
import { limitsInput } from './inputs.ts';

/** What the partner may spend in all; the limits of its keys are edited with the keys. */
export function EditLimits({ of }: { of: Partner }) {
  const set = useAction('partner set', allPartners);
  return (
    <FormDialog
      label="Edit limits"
      title={`Spending limits of ${of.name}`}
      submitLabel="Save limits"
      change={set}
      onSubmit={(form) => set.mutateAsync(limitsInput(of.id, String(form.get('limits'))))}
    >
      <LimitFields of={of.limits}>
        A purchase beyond one of them is refused, and nothing is charged. Orders already placed in the hour, day or
        month count. Hours, days and months begin in UTC. The partner sees these limits and cannot change them.
      </LimitFields>
    </FormDialog>
  );
}
