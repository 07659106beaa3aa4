import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import { deleteView, renameView, type SavedView, type ViewsAddress } from './views.ts';

interface EditViewsProps {
  at: ViewsAddress;
  views: readonly SavedView[];
  isOpen: boolean;
  onClose: () => void;
}

export const EditViews = ({ at, views, isOpen, onClose }: EditViewsProps) => (
  <Modal opened={isOpen} onClose={onClose} title="Your views of this list" keepMounted={false}>
    <Stack>
      {views.map((view) => (
        <EditView key={view.id} at={at} view={view} />
      ))}
    </Stack>
  </Modal>
);

function EditView({ at, view }: { at: ViewsAddress; view: SavedView }) {
  const rename = useChange(renameView(at), ['views']);
  const remove = useChange(deleteView(at), ['views']);
  return (
    <Form
      onSubmit={(typed) => {
        rename.mutate({ id: view.id, name: String(typed.get('name')) });
      }}
    >
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap">
          <TextInput
            key={view.name}
            name="name"
            size="xs"
            flex={1}
            aria-label={`Name of ${view.name}`}
            defaultValue={view.name}
            maxLength={60}
            required
            autoComplete="off"
          />
          <Button
            type="submit"
            size="xs"
            variant="default"
            loading={rename.isPending}
            aria-label={`Rename ${view.name}`}
          >
            Rename
          </Button>
          <Button
            size="xs"
            variant="default"
            c="var(--danger)"
            loading={remove.isPending}
            onClick={() => remove.mutate(view.id)}
            aria-label={`Delete ${view.name}`}
          >
            Delete
          </Button>
        </Group>
        <Problem error={rename.error ?? remove.error} />
      </Stack>
    </Form>
  );
}
