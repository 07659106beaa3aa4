import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { type Retail, setRetailTerms } from '../../api/retail.ts';

export const endingName: Readonly<Record<Retail['terms']['ending'], string>> = {
  none: 'Rounded to the cent',
  '.00': 'Raised to the next .00',
  '.50': 'Raised to the next .50',
  '.90': 'Raised to the next .90',
  '.95': 'Raised to the next .95',
  '.99': 'Raised to the next .99',
};

export function TermsForm({ terms }: { terms: Retail['terms'] }) {
  // In both worlds: every list of plans and every chart shows different amounts.
  const change = useChange(setRetailTerms, []);
  const [currency, setCurrency] = useState(terms.currency);
  const isForeign = currency.trim() !== '' && currency.trim().toUpperCase() !== 'USD';
  const text = (typed: FormData, name: string) => String(typed.get(name) ?? '');
  return (
    <Form
      onSubmit={(typed) => {
        change.mutate({
          currency: text(typed, 'currency'),
          rate: text(typed, 'rate'),
          markup: text(typed, 'markup'),
          ending: text(typed, 'ending'),
        });
      }}
    >
      <Stack maw={520}>
        <TextInput
          name="markup"
          label="Markup in percent"
          description="On the price you pay. Leave it empty for none."
          inputMode="decimal"
          placeholder="e.g. 40"
          defaultValue={terms.markup ?? ''}
          autoComplete="off"
        />
        <NativeSelect
          name="ending"
          label="Rounding"
          description="Currencies without cents are always rounded to whole units."
          data={Object.entries(endingName).map(([value, label]) => ({ value, label }))}
          defaultValue={terms.ending}
        />
        <Group grow align="flex-start">
          <TextInput
            name="currency"
            label="Currency"
            description="Three letters"
            value={currency}
            onChange={({ currentTarget }) => setCurrency(currentTarget.value)}
            maxLength={3}
            autoComplete="off"
          />
          <TextInput
            name="rate"
            label={`${isForeign ? currency.trim().toUpperCase() : 'Units'} for one dollar`}
            description={isForeign ? 'Yours to keep up to date' : 'For another currency'}
            inputMode="decimal"
            placeholder="e.g. 0.92"
            defaultValue={terms.currency === 'USD' ? '' : terms.rate}
            disabled={!isForeign}
            autoComplete="off"
          />
        </Group>
        <Problem error={change.error} />
        {change.isSuccess && <Done>Your retail prices are saved.</Done>}
        <Group>
          <Button type="submit" loading={change.isPending}>
            Save rule
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
