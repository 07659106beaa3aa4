import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useAction } from '../../api/actions.ts';
import { type PlanStock, suppliersKey } from '../../api/service.ts';

/** The number of eSIMs in stock below which a plan counts as low. */
export function SetLevel({ of: it }: { of: PlanStock }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-label={`Set the level of ${it.plan}`}>
        Set
      </Button>
      <Modal opened={opened} onClose={close} title={`Low stock of ${it.plan}`}>
        {opened && <LevelForm of={it} close={close} />}
      </Modal>
    </>
  );
}

function LevelForm({ of: it, close }: { of: PlanStock; close: () => void }) {
  const set = useAction('stock set', suppliersKey);
  const [low, setLow] = useState(it.low === null ? '' : String(it.low));
  return (
    <Form
      onSubmit={() => {
        set.mutate({ supplier: it.supplier, plan: it.plan, low: low || 'off' }, { onSuccess: close });
      }}
    >
      <Stack>
        <TextInput
          label="Low when this many or fewer are left"
          description="The home page then says so. Empty: never"
          inputMode="numeric"
          value={low}
          onChange={(event) => setLow(event.currentTarget.value)}
        />
        <Problem error={set.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={set.isPending} disabled={!/^\d{0,6}$/.test(low)}>
            Save
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
