import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useAction } from '../../api/actions.ts';
import { type Supplier, suppliersKey } from '../../api/service.ts';

/** How the list prices of a supplier's plans are made. */
export function SetMarkup({ of: it }: { of: Supplier }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Change list prices
      </Button>
      <Modal opened={opened} onClose={close} title={`List prices of ${it.title}`}>
        {opened && <MarkupForm of={it} close={close} />}
      </Modal>
    </>
  );
}

function MarkupForm({ of: it, close }: { of: Supplier; close: () => void }) {
  const set = useAction('supplier set', suppliersKey);
  const [way, setWay] = useState(it.markup_pct === null ? 'own' : 'markup');
  const [pct, setPct] = useState(it.markup_pct === null ? '' : String(Number(it.markup_pct)));
  const isReady = way === 'own' || /^\d{1,4}(\.\d{1,2})?$/.test(pct);
  return (
    <Form
      onSubmit={() => {
        set.mutate({ supplier: it.supplier, markup: way === 'own' ? 'none' : pct }, { onSuccess: close });
      }}
    >
      <Stack>
        <Radio.Group label="A plan’s list price is" value={way} onChange={setWay}>
          <Stack gap="xs" mt="xs">
            <Radio value="own" label="The supplier’s own list price" />
            <Radio value="markup" label="What the plan costs us, plus a percentage" />
          </Stack>
        </Radio.Group>
        {way === 'markup' && (
          <TextInput
            label="Percentage on top of cost"
            description="From 0 to 1000, with at most two decimals"
            inputMode="decimal"
            value={pct}
            onChange={(event) => setPct(event.currentTarget.value)}
          />
        )}
        <Text size="sm">
          The next import of its list applies this to all its plans, except those whose price was set by hand. Until
          then prices do not change.
        </Text>
        <Problem error={set.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={set.isPending} disabled={!isReady}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
