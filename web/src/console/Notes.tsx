import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { useState } from 'react';
import type { NoteView } from '../../../src/entry/console/orders/order-view.ts';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';
import { Form } from '../parts/Form.tsx';
import { Problem } from '../parts/Problem.tsx';
import { Section } from '../parts/Section.tsx';
import { When } from '../parts/When.tsx';
import { type ActionInput, useAction } from './api/actions.ts';
import { useMay } from './useMay.ts';

const MAX_NOTE = 1_000;

interface NotesProps {
  notes: readonly NoteView[];
  /** What a new one is about, as `note add` takes it. */
  about: Omit<ActionInput<'note add'>, 'text'>;
  touches: QueryKey;
}

/** What operators write down for each other about an order or a partner. */
export function Notes({ notes, about, touches }: NotesProps) {
  const mayWrite = useMay()('note');
  return (
    <Section title="Notes" about="For operators only: the partner never sees them.">
      <Stack>
        {notes.length === 0 && !mayWrite && <Text size="sm">No notes yet.</Text>}
        {notes.map((note) => (
          <Written key={note.id} of={note} touches={touches} />
        ))}
        {mayWrite && <Write about={about} touches={touches} />}
      </Stack>
    </Section>
  );
}

function Written({ of: { id, author, at, text, can_delete }, touches }: { of: NoteView; touches: QueryKey }) {
  const remove = useAction('note delete', touches);
  return (
    <Group justify="space-between" align="flex-start" wrap="nowrap" component="article">
      <div>
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
        <Text size="xs" c="dimmed">
          {author}, <When at={at} exact />
        </Text>
      </div>
      {can_delete && (
        <ConfirmButton
          size="compact-xs"
          label="Delete note"
          title="Delete this note?"
          change={{ ...remove, mutateAsync: () => remove.mutateAsync({ id }) }}
        >
          Its text is deleted for good. The audit log keeps who wrote and who deleted it.
        </ConfirmButton>
      )}
    </Group>
  );
}

function Write({ about, touches }: Pick<NotesProps, 'about' | 'touches'>) {
  const add = useAction('note add', touches);
  const [text, setText] = useState('');
  return (
    <Form
      onSubmit={() =>
        add.mutateAsync({ ...about, text: text.trim() }).then(
          () => setText(''),
          () => {},
        )
      }
    >
      <Stack gap="xs">
        <Textarea
          label="New note"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          maxLength={MAX_NOTE}
          autosize
          minRows={2}
        />
        <Problem error={add.error} />
        <Group justify="flex-end">
          <Button type="submit" size="xs" variant="default" loading={add.isPending} disabled={text.trim() === ''}>
            Add note
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
