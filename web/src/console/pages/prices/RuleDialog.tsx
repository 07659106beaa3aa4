import { Button, Group, Modal, NativeSelect, Select, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RuleScope } from '../../../../../src/domains/catalog/prices/prices.ts';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { IconPlus } from '../../../parts/icons.ts';
import { type ActionInput, useAction } from '../../api/actions.ts';
import { choices } from '../../api/catalog.ts';
import { PartnerPicker, PlanPicker } from './Picker.tsx';
import { PreviewedChange } from './Preview.tsx';
import { scopes } from './scopes.ts';

const empty = { scope: 'country' as RuleScope, target: '', partner: '', value: '' };
type Draft = typeof empty;

type Input = ActionInput<'pricing rule add'>;

/** The rule as the action takes it. */
const inputOf = ({ scope, target, partner, value }: Draft): Input => ({
  scope,
  target,
  ...(scope === 'product' ? { price: value.trim() } : { share: value.trim() }),
  ...(partner !== '' && { partner }),
});

/** A rule can be saved only after its effect was previewed. */
export function NewRule({ product }: { product?: string }) {
  const [opened, { open, close }] = useDisclosure();
  const [draft, setDraft] = useState<Draft>(empty);
  const [previewed, setPreviewed] = useState<Input>();
  const save = useAction('pricing rule add', ['prices']);
  const start = () => {
    setDraft(product === undefined ? empty : { ...empty, scope: 'product', target: product });
    setPreviewed(undefined);
    save.reset();
    open();
  };
  /** Exactly the previewed input is saved; any other input needs its own preview. */
  const write = (change: Partial<Draft>) => {
    setDraft({ ...draft, ...change });
    setPreviewed(undefined);
  };
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={start}>
        New rule
      </Button>
      {save.isSuccess && !opened && <Done>The rule is saved.</Done>}
      <Modal opened={opened} onClose={close} title="New rule" size="lg">
        <Stack>
          <Form
            onSubmit={() => {
              setPreviewed(inputOf(draft));
            }}
          >
            <Stack>
              <Fields draft={draft} write={write} />
              {!previewed && (
                <Group justify="flex-end">
                  <Button variant="default" onClick={close}>
                    Cancel
                  </Button>
                  <Button type="submit" disabled={draft.target === '' || draft.value.trim() === ''}>
                    Preview
                  </Button>
                </Group>
              )}
            </Stack>
          </Form>
          {previewed && (
            <PreviewedChange
              input={{ ...previewed }}
              save={{ ...save, mutate: () => save.mutate(previewed, { onSuccess: close }) }}
              saveLabel="Save rule"
              onCancel={close}
            />
          )}
        </Stack>
      </Modal>
    </>
  );
}

function Fields({ draft, write }: { draft: Draft; write: (change: Partial<Draft>) => void }) {
  const { scope, target, partner, value } = draft;
  return (
    <>
      <NativeSelect
        label="Applies to"
        data={scopes}
        value={scope}
        onChange={({ currentTarget }) => write({ scope: currentTarget.value as RuleScope, target: '', value: '' })}
      />
      {scope === 'product' ? (
        <PlanPicker
          label="Plan"
          placeholder="Words of its title, or its id"
          value={target}
          onChange={(next) => write({ target: next })}
        />
      ) : (
        <Target scope={scope} target={target} write={write} />
      )}
      <PartnerPicker
        label="For"
        description="Leave it empty for every partner."
        placeholder="Every partner"
        value={partner}
        onChange={(next) => write({ partner: next })}
      />
      <TextInput
        label={scope === 'product' ? 'Price in USD' : 'Share of the margin in %'}
        description={
          scope === 'product' ? 'Ignored where it is above the list price or below what the cap allows.' : undefined
        }
        inputMode="decimal"
        placeholder={scope === 'product' ? '4.50' : '25'}
        autoComplete="off"
        value={value}
        onChange={({ currentTarget }) => write({ value: currentTarget.value })}
      />
    </>
  );
}

function Target({
  scope,
  target,
  write,
}: Pick<Draft, 'scope' | 'target'> & { write: (change: Partial<Draft>) => void }) {
  const { data } = useQuery(choices);
  const isCountry = scope === 'country';
  const offered =
    scope === 'provider'
      ? (data?.suppliers ?? []).map(({ slug, title }) => ({ value: slug, label: `${title} (${slug})` }))
      : (data?.destinations ?? [])
          .filter((one) => (one.scope === 'country') === isCountry)
          .map(({ code, title }) => ({ value: code, label: `${title} (${code})` }));
  return (
    <Select
      label={{ provider: 'Supplier', country: 'Country', region: 'Region', product: 'Plan' }[scope]}
      description={scope === 'region' ? 'Covers the region’s own plans and those of its countries.' : undefined}
      searchable
      limit={100}
      data={offered}
      value={target === '' ? null : target}
      onChange={(next) => write({ target: next ?? '' })}
      nothingFoundMessage="Nothing found"
    />
  );
}
