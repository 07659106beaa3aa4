import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Choice } from '../../../parts/Choice.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { IconPlus } from '../../../parts/icons.ts';
import { useAction } from '../../api/actions.ts';
import { allPartners } from '../../api/partners.ts';
import { paths } from '../../paths.ts';
import { FirstMember } from './FirstMember.tsx';
import { type Billing, newPartnerInput } from './inputs.ts';
import { billingName } from './PartnerStatus.tsx';

/** Creates a partner and then offers to invite its first member. The two are separate changes; the second can be skipped. */
export function NewPartner() {
  const navigate = useNavigate();
  const [billing, setBilling] = useState<Billing>('prepaid');
  const [made, setMade] = useState<{ id: number; name: string; email: string }>();
  const create = useAction('partner create', allPartners);
  const save = async (form: FormData) => {
    const text = (name: string) => String(form.get(name) ?? '');
    const [name, email] = [text('name').trim(), text('email').trim()];
    const input = newPartnerInput({ name, email, billing, creditLimit: text('credit_limit') });
    const { partner_id: id } = await create.mutateAsync(input);
    setMade({ id, name, email });
  };
  return (
    <>
      <FormDialog
        label="New partner"
        title="New partner"
        submitLabel="Create partner"
        size="sm"
        variant="filled"
        leftSection={<IconPlus size={16} />}
        change={create}
        onOpen={() => setBilling('prepaid')}
        onSubmit={save}
      >
        <TextInput
          name="name"
          label="Name"
          description="Company or person."
          autoComplete="off"
          required
          data-autofocus
        />
        <TextInput
          name="email"
          type="email"
          label="Contact email"
          description="Gets the notices until a member has accepted an invitation."
          autoComplete="off"
          required
        />
        <div>
          <Text size="sm" fw={500} mb={4}>
            Billing
          </Text>
          <Choice
            isFullWidth
            label="Billing"
            options={(['prepaid', 'postpaid'] as const).map((value) => ({ value, label: billingName[value] }))}
            value={billing}
            onChange={setBilling}
          />
          <Text size="xs" c="dimmed" mt={6}>
            {billing === 'postpaid'
              ? 'Purchases add to a debt, up to the credit limit. Payments are recorded by hand.'
              : 'Purchases are paid from a wallet that is topped up first.'}
          </Text>
        </div>
        {billing === 'postpaid' && (
          <TextInput
            name="credit_limit"
            label="Credit limit in USD"
            description="The most it may owe. Without one it cannot buy anything yet."
            inputMode="decimal"
            placeholder="500.00"
            autoComplete="off"
          />
        )}
      </FormDialog>
      {made && <FirstMember of={made} onDone={() => navigate(paths.partner(made.id))} />}
    </>
  );
}
