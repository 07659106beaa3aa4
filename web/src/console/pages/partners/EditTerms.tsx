import { NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Money } from '../../../parts/Money.tsx';
import { useAction } from '../../api/actions.ts';
import { allPartners, type Partner } from '../../api/partners.ts';
import { availableUnder } from './balanceAfter.ts';
import { type Terms, termsInput, termsOf } from './inputs.ts';
import { billingName } from './PartnerStatus.tsx';

/** Billing, credit and shares. Says what the partner can spend under the new terms before they are saved. */
export function EditTerms({ of }: { of: Partner }) {
  const was = termsOf(of);
  const [terms, setTerms] = useState(was);
  const [began, setBegan] = useState(was);
  const set = useAction('partner set', allPartners);
  const input = termsInput(began, terms);
  const isChanged = Object.keys(input).length > 0;
  const field = (name: keyof Terms) => ({
    value: terms[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const { value } = currentTarget;
      setTerms((now) => ({ ...now, [name]: value }));
    },
  });
  return (
    <FormDialog
      label="Change terms"
      title={`Terms of ${of.name}`}
      submitLabel="Save terms"
      isReady={isChanged}
      change={set}
      onOpen={() => {
        setTerms(was);
        setBegan(was);
      }}
      onSubmit={() => set.mutateAsync({ id: String(of.id), ...input })}
    >
      <NativeSelect
        label="Billing"
        description="Takes effect with the next purchase. Balance and debt do not change."
        data={Object.entries(billingName).map(([value, label]) => ({ value, label }))}
        {...field('billing')}
      />
      <TextInput
        label="Credit limit in USD"
        description="The most the partner may owe. Only used on invoice terms."
        inputMode="decimal"
        autoComplete="off"
        {...field('creditLimit')}
      />
      <TextInput
        label="Balance alert in USD"
        description="The partner is notified when it can spend less than this. Leave it empty for no alert."
        inputMode="decimal"
        autoComplete="off"
        {...field('balanceAlert')}
      />
      <TextInput
        label="Replacements per month in USD"
        description="What new eSIMs in place of others may cost you per month, in live and in the sandbox each, before you decide about each one."
        inputMode="decimal"
        autoComplete="off"
        {...field('replacements')}
      />
      <TextInput
        label="Margin share in percent"
        description="A fixed share of the margin given as discount. Leave it empty to let its tier decide."
        inputMode="decimal"
        autoComplete="off"
        {...field('marginShare')}
      />
      <TextInput
        label="Revenue share in percent"
        description="Paid to the partner, of the cost of data its travellers did not use. Leave it empty for none."
        inputMode="decimal"
        autoComplete="off"
        {...field('revenueShare')}
      />
      <Effect of={of} terms={terms} />
      {JSON.stringify(was) !== JSON.stringify(began) && (
        <Text size="sm" c="var(--danger)" role="status">
          Somebody changed these terms while this dialog was open. What you did not change here stays as they left it.
        </Text>
      )}
    </FormDialog>
  );
}

function Effect({ of, terms }: { of: Partner; terms: Terms }) {
  const after = availableUnder(of.wallet, terms.billing === 'postpaid' ? 'postpaid' : 'prepaid', terms.creditLimit);
  if (after === undefined || after === of.wallet.available) return null;
  return (
    <Stack gap={0} role="status">
      <Text size="sm">
        Can spend now <Money amount={of.wallet.available} />, then <b>{<Money amount={after} />}</b>.
      </Text>
      {Number(after) <= 0 && (
        <Text size="sm" c="var(--danger)">
          The partner cannot buy anything under these terms.
        </Text>
      )}
    </Stack>
  );
}
