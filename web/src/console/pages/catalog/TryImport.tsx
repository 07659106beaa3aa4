import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { runAction, useAction } from '../../api/actions.ts';
import { ConfirmOffSale, ImportOutcome, needsYes } from './ImportOutcome.tsx';

/** Previews what importing a supplier's list, or its previous one, would change, and offers to import it. */
export function TryImport({
  supplier,
  title,
  previous = false,
}: {
  supplier: string;
  title: string;
  previous?: boolean;
}) {
  const [opened, { open, close }] = useDisclosure();
  const [yes, setYes] = useState(false);
  const input = { source: supplier, ...(previous && { previous }) };
  const tried = useChange(() => runAction('catalog import', { ...input, 'dry-run': true }));
  const made = useAction('catalog import', ['catalog']);
  const start = () => {
    made.reset();
    setYes(false);
    tried.mutate();
    open();
  };
  const heading = previous ? `Import the previous list of ${title} again` : `Import the list of ${title}`;
  return (
    <>
      <Button size="xs" variant="default" onClick={start} aria-label={heading}>
        {previous ? 'Previous list…' : 'Import…'}
      </Button>
      <Modal opened={opened} onClose={close} title={heading} size="lg">
        {made.data ? (
          <Stack>
            <ImportOutcome of={made.data} done unit="Row" />
            <Group justify="flex-end">
              <Button onClick={close}>Close</Button>
            </Group>
          </Stack>
        ) : (
          <Stack>
            {previous && (
              <Text size="sm">
                The plans go back to how they were before the last import that changed any. What was set by hand stays.
              </Text>
            )}
            {tried.isPending && (
              <Group gap="sm" wrap="nowrap" role="status">
                <Loader size="sm" />
                <Text size="sm">
                  {previous
                    ? 'Comparing. Nothing is changed yet.'
                    : 'Reading the list. That takes seconds, for some suppliers minutes. Nothing is changed yet.'}
                </Text>
              </Group>
            )}
            {tried.data && <ImportOutcome of={tried.data} unit="Row" />}
            {tried.data && <ConfirmOffSale of={tried.data} checked={yes} onChange={setYes} />}
            <Problem error={tried.error ?? made.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                disabled={!tried.data || 'ok' in tried.data || (needsYes(tried.data) && !yes)}
                loading={made.isPending}
                onClick={() => made.mutate({ ...input, ...(yes && { yes }) })}
              >
                Import
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  );
}
