import { TextInput } from '@mantine/core';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { useAction } from '../../api/actions.ts';
import { type Supplier, suppliersKey } from '../../api/service.ts';

/** The balance at a supplier below which we alert. */
export function SetBalanceAlert({ of: it }: { of: Supplier }) {
  const set = useAction('supplier set', suppliersKey);
  return (
    <FormDialog
      label="Balance alert"
      title={`Balance alert of ${it.title}`}
      submitLabel="Save"
      change={set}
      onSubmit={(form) => {
        const level = String(form.get('level')).trim();
        return set.mutateAsync({ supplier: it.supplier, 'balance-alert': level === '' ? 'none' : level });
      }}
    >
      <TextInput
        name="level"
        label="Low below this balance, in USD"
        description="The home page and the metrics then say so. Empty: never"
        inputMode="decimal"
        defaultValue={it.balance_alert === null ? '' : Number(it.balance_alert).toFixed(2)}
        autoComplete="off"
      />
    </FormDialog>
  );
}
