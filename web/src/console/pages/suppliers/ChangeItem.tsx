import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { WHOLE_ICCID } from '../../../../../src/platform/contract/ids.ts';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useAction } from '../../api/actions.ts';
import { suppliersKey } from '../../api/service.ts';

/** Puts one eSIM back on sale, or takes it off. */
export function ChangeItem() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Release or discard one
      </Button>
      <Modal opened={opened} onClose={close} title="Release or discard an eSIM">
        {opened && <ItemForm close={close} />}
      </Modal>
    </>
  );
}

function ItemForm({ close }: { close: () => void }) {
  const release = useAction('stock release', suppliersKey);
  const discard = useAction('stock discard', suppliersKey);
  const [iccid, setIccid] = useState('');
  const isReady = WHOLE_ICCID.test(iccid);
  return (
    <Form onSubmit={() => release.mutate({ iccid }, { onSuccess: close })}>
      <Stack>
        <TextInput
          label="ICCID"
          inputMode="numeric"
          value={iccid}
          onChange={(event) => setIccid(event.currentTarget.value.trim())}
        />
        <Text size="sm">
          A returned eSIM may have been installed: release it only if you know that it was not. A discarded one is never
          sold, unless it is released again.
        </Text>
        <Problem error={release.error ?? discard.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            variant="default"
            color="red"
            loading={discard.isPending}
            disabled={!isReady}
            onClick={() => discard.mutate({ iccid }, { onSuccess: close })}
          >
            Discard
          </Button>
          <Button type="submit" loading={release.isPending} disabled={!isReady}>
            Release
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
