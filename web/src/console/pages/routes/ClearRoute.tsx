import { Button, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
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
  return (
    <TryThenSave
      action="route clear"
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
