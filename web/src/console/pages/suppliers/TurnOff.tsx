import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { useRun } from '../../api/run.ts';
import { type Supplier, suppliersKey } from '../../api/service.ts';

/** Takes everything of a supplier off sale, or puts it back. */
export function TurnOff({ of: { supplier, title, off_since } }: { of: Supplier }) {
  const set = useRun('supplier set', suppliersKey);
  const isOff = off_since !== null;
  const change = { ...set, mutateAsync: () => set.mutateAsync({ supplier, [isOff ? 'on' : 'off']: true }) };
  return isOff ? (
    <ConfirmButton size="xs" label="Switch on" title={`Switch ${title} on`} tone="give" change={change}>
      The plans that were on sale when it was switched off are sold again, except those an import or a person has taken
      off sale since.
    </ConfirmButton>
  ) : (
    <ConfirmButton size="xs" label="Switch off" title={`Switch ${title} off`} change={change}>
      All its plans go off sale at once and out of every route, so nothing new is bought there, refills included. Open
      orders continue, and usage and refunds of delivered eSIMs keep working. You can switch it on again.
    </ConfirmButton>
  );
}
