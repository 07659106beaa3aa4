import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import { type SavedView, saveView, type ViewsAddress } from './views.ts';

interface SaveViewProps {
  at: ViewsAddress;
  view: Pick<SavedView, 'list' | 'filters'>;
  isOpen: boolean;
  onClose: () => void;
}

export const SaveView = ({ isOpen, onClose, ...of }: SaveViewProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Save this view" keepMounted={false}>
    <NameForm {...of} onDone={onClose} />
  </Modal>
);

function NameForm({ at, view, onDone }: Pick<SaveViewProps, 'at' | 'view'> & { onDone: () => void }) {
  const change = useChange(saveView(at), ['views'], onDone);
  return (
    <Form
      onSubmit={(typed) => {
        change.mutate({ ...view, name: String(typed.get('name')) });
      }}
    >
      <Stack>
        <TextInput
          name="name"
          label="Name"
          description="Only you see it. It keeps the filters, not the rows."
          maxLength={60}
          required
          withAsterisk={false}
          autoComplete="off"
          data-autofocus
        />
        <Problem error={change.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save view
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
