import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { run, useRun } from '../../api/run.ts';
import { ImportOutcome, type ImportResult } from './ImportOutcome.tsx';

/** Reads a supplier's list and says what importing it would change; then it can be imported. */
export function TryImport({ supplier, title }: { supplier: string; title: string }) {
  const [opened, { open, close }] = useDisclosure();
  const tried = useChange(() => run<ImportResult>('catalog import', { source: supplier, 'dry-run': true }));
  const made = useRun<ImportResult>('catalog import', ['catalog']);
  const start = () => {
    made.reset();
    tried.mutate();
    open();
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={start} aria-label={`Import the list of ${title}`}>
        Import…
      </Button>
      <Modal opened={opened} onClose={close} title={`Import the list of ${title}`} size="lg">
        {made.data ? (
          <Stack>
            <ImportOutcome of={made.data} done unit="Row" />
            <Group justify="flex-end">
              <Button onClick={close}>Close</Button>
            </Group>
          </Stack>
        ) : (
          <Stack>
            {tried.isPending && (
              <Group gap="sm" wrap="nowrap" role="status">
                <Loader size="sm" />
                <Text size="sm">
                  Reading the list. That takes seconds, for some suppliers minutes. Nothing is changed yet.
                </Text>
              </Group>
            )}
            {tried.data && <ImportOutcome of={tried.data} unit="Row" />}
            <Problem error={tried.error ?? made.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                disabled={!tried.data || 'ok' in tried.data}
                loading={made.isPending}
                onClick={() => made.mutate({ source: supplier })}
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
