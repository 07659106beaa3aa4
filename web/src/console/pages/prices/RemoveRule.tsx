import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useAction } from '../../api/actions.ts';
import type { Rule } from '../../api/prices.ts';
import { PreviewedChange } from './Preview.tsx';

export function RemoveRule({ rule: { rule_id, target, target_title } }: { rule: Rule }) {
  const [opened, { open, close }] = useDisclosure();
  const remove = useAction('pricing rule remove', ['prices']);
  const id = String(rule_id);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c="var(--danger)"
        aria-label={`Remove the rule for ${target_title ?? target}`}
        onClick={() => {
          remove.reset();
          open();
        }}
      >
        Remove
      </Button>
      <Modal opened={opened} onClose={close} title={`Remove the rule for ${target_title ?? target}?`} size="lg">
        {opened && (
          <PreviewedChange
            input={{ remove: id }}
            save={{ ...remove, mutate: () => remove.mutate({ id }, { onSuccess: close }) }}
            saveLabel="Remove rule"
            isDanger
            onCancel={close}
          />
        )}
      </Modal>
    </>
  );
}
