import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useChange } from '../../../parts/server/useChange.ts';
import type { Tried } from '../../api/routes.ts';
import { type CommandInput, run, useRun } from '../../api/run.ts';
import { TryThenSave } from './TryThenSave.tsx';

export function ClearRoute({ productId, title }: { productId: string; title: string }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" c="var(--danger)" aria-label={`Clear the route of ${title}`} onClick={open}>
        Clear
      </Button>
      <Modal opened={opened} onClose={close} title={`Clear the route of ${title}?`} size="xl">
        {opened && <ClearForm productId={productId} close={close} />}
      </Modal>
    </>
  );
}

function ClearForm({ productId, close }: { productId: string; close: () => void }) {
  const tried = useChange((input: CommandInput) => run<Tried>('route clear', input));
  const save = useRun('route clear', ['catalog']);
  return (
    <TryThenSave
      tried={tried}
      save={save}
      input={{ product: productId }}
      isTriedAtOnce
      saveLabel="Clear route"
      isDanger
      close={close}
    >
      <Text size="sm">
        Only its own supplier will deliver it, unless automatic routes are on for that supplier. Open orders do not
        move.
      </Text>
    </TryThenSave>
  );
}
