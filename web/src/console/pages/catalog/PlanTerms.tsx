import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { type ActionChange, type ActionInput, useAction } from '../../api/actions.ts';
import type { PlanView } from '../../api/catalog.ts';
import { useMay } from '../../useMay.ts';
import { Cost } from './Cost.tsx';

/** Price, cost and availability, and whether imports set them. */
export function PlanTerms({ of: { plan } }: { of: PlanView }) {
  const mayChange = useMay()('manage');
  const set = useAction('catalog product set', ['catalog']);
  const product = plan.product_id;
  const by = (name: string) => (plan.by_hand.includes(name) ? ' (by hand)' : '');
  const margin = plan.cost === null ? null : Number(plan.price) - Number(plan.cost);
  return (
    <Section title="Price and sale">
      <Stack>
        <Facts
          facts={[
            [
              'List price',
              <span key="price">
                <Money amount={plan.price} />
                {by('price')}
              </span>,
            ],
            [
              'Cost',
              <span key="cost">
                {plan.cost === null ? 'Unknown' : <Cost amount={plan.cost} />}
                {by('cost')}
              </span>,
            ],
            ['Margin at list price', margin !== null && <Money amount={margin} />],
            ['On sale', `${plan.on_sale ? 'Yes' : 'No'}${by('on_sale')}`],
          ]}
        />
        {plan.on_sale && Number(plan.price) === 0 && (
          <Text size="sm">Without a price it can’t be found or bought.</Text>
        )}
        {mayChange && (
          <Group gap="xs">
            <OnSaleSwitch plan={plan} set={set} />
            <SetByHand plan={plan} set={set} />
            {plan.by_hand.length > 0 && (
              <Button
                variant="default"
                loading={set.isPending}
                onClick={() =>
                  set.mutate({
                    product,
                    ...Object.fromEntries(plan.by_hand.map((name) => [name.replace('_', '-'), 'auto'])),
                  })
                }
              >
                Let imports set it again
              </Button>
            )}
          </Group>
        )}
        <Problem error={set.error} />
        {set.isSuccess && (
          <Done>The plan is saved. What was set by hand stays until you let imports set it again.</Done>
        )}
      </Stack>
    </Section>
  );
}

interface ChangeProps {
  plan: PlanView['plan'];
  set: ActionChange<'catalog product set'>;
}

function OnSaleSwitch({ plan, set }: ChangeProps) {
  const input = { product: plan.product_id, 'on-sale': plan.on_sale ? 'false' : 'true' } as const;
  if (!plan.on_sale)
    return (
      <Button variant="default" loading={set.isPending} onClick={() => set.mutate(input)}>
        Put on sale
      </Button>
    );
  return (
    <ConfirmButton
      label="Take off sale"
      title="Take this plan off sale?"
      change={{ ...set, mutateAsync: () => set.mutateAsync(input) }}
    >
      Partners can no longer find or buy it. Orders already placed are delivered. Imports leave it off sale.
    </ConfirmButton>
  );
}

function SetByHand({ plan, set }: ChangeProps) {
  const [price, setPrice] = useState('');
  const [costKind, setCostKind] = useState('keep');
  const [cost, setCost] = useState('');
  const clear = () => {
    setPrice('');
    setCostKind('keep');
    setCost('');
  };
  const input: ActionInput<'catalog product set'> = {
    product: plan.product_id,
    ...(price.trim() !== '' && { price: price.trim() }),
    ...(costKind === 'unknown' && { cost: 'unknown' }),
    ...(costKind === 'set' && cost.trim() !== '' && { cost: cost.trim() }),
  };
  return (
    <FormDialog
      label="Set price or cost"
      title="Set price or cost by hand"
      submitLabel="Save"
      size="sm"
      isReady={Object.keys(input).length > 1}
      change={set}
      onOpen={clear}
      onSubmit={() => set.mutateAsync(input)}
    >
      <Text size="sm">
        It applies at once, for every partner. Imports do not change it until you let them set it again.
      </Text>
      <TextInput
        label="List price in USD"
        description={`Now ${plan.price}. Leave it empty to keep it; 0 takes it off sale.`}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={price}
        onChange={({ currentTarget }) => setPrice(currentTarget.value)}
      />
      <NativeSelect
        label="Cost"
        data={[
          { value: 'keep', label: `Keep: ${plan.cost === null ? 'unknown' : dollars(plan.cost)}` },
          { value: 'set', label: 'Set another cost' },
          { value: 'unknown', label: 'Make it unknown: partners pay the list price' },
        ]}
        value={costKind}
        onChange={({ currentTarget }) => setCostKind(currentTarget.value)}
      />
      {costKind === 'set' && (
        <TextInput
          label="Cost in USD"
          description="Up to six decimals."
          inputMode="decimal"
          autoComplete="off"
          value={cost}
          onChange={({ currentTarget }) => setCost(currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
