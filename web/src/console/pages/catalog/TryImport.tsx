import { Alert, Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Done } from '../../../parts/Done.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import type { ImportCounts } from '../../api/catalog.ts';
import { run, useRun } from '../../api/run.ts';
import { ImportReport, reportSentence } from './ImportReport.tsx';

/** What the command answers: what it did or would do, or what was wrong with the list. */
type Result = ImportCounts | { readonly ok: false; readonly message: string; readonly problems: readonly Wrong[] };
interface Wrong {
  readonly line: number;
  readonly reason: string;
}

/** Reads a supplier's list and says what importing it would change; then it can be imported. */
export function TryImport({ supplier, title }: { supplier: string; title: string }) {
  const [opened, { open, close }] = useDisclosure();
  const tried = useChange(() => run<Result>('catalog import', { source: supplier, 'dry-run': true }));
  const made = useRun<Result>('catalog import', ['catalog']);
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
            <Outcome of={made.data} done />
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
            {tried.data && <Outcome of={tried.data} />}
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

function Outcome({ of: result, done = false }: { of: Result; done?: boolean }) {
  if ('ok' in result)
    return (
      <Alert
        color="red"
        icon={<IconAlertTriangle size={18} />}
        title="The list is rejected, nothing was imported"
        p="sm"
      >
        {result.problems.slice(0, 10).map(({ line, reason }) => (
          <Text key={`${line} ${reason}`} size="sm">
            Row {line}: {reason}
          </Text>
        ))}
      </Alert>
    );
  return (
    <Stack>
      {done ? <Done>{reportSentence(result, true)}</Done> : <Text size="sm">{reportSentence(result, false)}</Text>}
      <ImportReport of={result} />
    </Stack>
  );
}
