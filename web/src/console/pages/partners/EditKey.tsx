import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import { tierNames, tiers } from '../../../../../src/contract/tiers.ts';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { AllowListField } from '../../../subjects/keys/AllowListField.tsx';
import { SpendingField } from '../../../subjects/keys/SpendingField.tsx';
import { allPartners, type PartnerKey } from '../../api/partners.ts';
import { useRun } from '../../api/run.ts';
import { type Ceilings, keyInput } from './inputs.ts';
import { KeyFields, keyFieldsOf } from './KeyFields.tsx';
import { tierName } from './tierName.ts';

/** Name, expiry, addresses and ceilings of a key, and what agents may spend with it. */
export function EditKey({ of: key }: { of: PartnerKey }) {
  const set = useRun('key set', allPartners);
  return (
    <FormDialog
      label="Edit"
      title={`Edit ${key.name || key.mask}`}
      submitLabel="Save"
      change={set}
      onSubmit={async (form) => {
        const ceilings = Object.fromEntries(tierNames.map((tier) => [tier, String(form.get(tier) ?? '')])) as Ceilings;
        const spending = String(form.get('spending_limit') ?? '');
        const input = keyInput(key, { ...keyFieldsOf(form), ceilings, spending });
        if (Object.keys(input).length > 1) await set.mutateAsync(input);
      }}
    >
      <KeyFields of={key} />
      <AllowListField defaultValue={key.allow_list.join('\n')} />
      <SpendingField limit={key.spending_limit} />
      <Fieldset legend="Requests per minute" variant="unstyled">
        <SimpleGrid cols={2} spacing="xs">
          {tierNames.map((tier) => (
            <TextInput
              key={tier}
              name={tier}
              label={tierName[tier]}
              inputMode="numeric"
              placeholder={String(tiers[tier])}
              defaultValue={key.tier_ceilings[tier]}
              autoComplete="off"
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    </FormDialog>
  );
}
