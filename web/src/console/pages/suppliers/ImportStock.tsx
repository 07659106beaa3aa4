import { Alert, Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { importStock, suppliersKey } from '../../api/service.ts';
import { FileField, isTooLarge } from '../../FileField.tsx';

/** How many of the problems are shown. */
const SHOWN = 20;
const MAX_MB = 2;

/** Uploads a file with eSIMs that were bought in advance. */
export function ImportStock({ supplier }: { supplier: string }) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Import eSIMs
      </Button>
      <Modal opened={opened} onClose={close} title={`Import eSIMs into ${supplier}`} size="lg">
        {opened && <ImportForm supplier={supplier} close={close} />}
      </Modal>
    </>
  );
}

function ImportForm({ supplier, close }: { supplier: string; close: () => void }) {
  const [plan, setPlan] = useState('');
  const [cost, setCost] = useState('');
  const [expires, setExpires] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const trial = useChange(importStock);
  const made = useChange(importStock, suppliersKey);
  const isReady = plan !== '' && file !== null && !isTooLarge(file, MAX_MB);
  const isBusy = trial.isPending || made.isPending;
  const send = async (isDryRun: boolean) => {
    // Only the other one: resetting the change that is being sent would send the second click of a double click as an import of its own.
    (isDryRun ? made : trial).reset();
    const text = (await file?.text()) ?? '';
    (isDryRun ? trial : made).mutate({ supplier, plan, cost, expires, 'dry-run': isDryRun, text });
  };
  const shown = made.data ?? trial.data;
  return (
    <Form onSubmit={() => send(false)}>
      <Stack>
        <TextInput
          label="Plan"
          description="The supplier’s code for it, as in the catalog file"
          value={plan}
          onChange={(event) => setPlan(event.currentTarget.value)}
        />
        <FileField
          description="CSV with a header line, or a JSON array"
          accept=".csv,.json,.txt"
          maxMb={MAX_MB}
          value={file}
          onChange={setFile}
        />
        <Group grow align="flex-start">
          <TextInput
            label="Cost of one (optional)"
            description="In USD, where the file has none"
            inputMode="decimal"
            value={cost}
            onChange={(event) => setCost(event.currentTarget.value)}
          />
          <TextInput
            label="Last day (optional)"
            description="Like 2030-05-31, where the file has none"
            value={expires}
            onChange={(event) => setExpires(event.currentTarget.value)}
          />
        </Group>
        <Problem error={made.error ?? trial.error} />
        {shown && 'ok' in shown && (
          <Alert color="red" role="alert" title="Nothing was imported">
            <List size="sm">
              {shown.problems.slice(0, SHOWN).map(({ line, column, reason }) => (
                <List.Item key={`${line} ${column} ${reason}`}>
                  Line {line}, {column}: {reason}
                </List.Item>
              ))}
            </List>
            {shown.problems.length > SHOWN && (
              <Text size="sm">And {(shown.problems.length - SHOWN).toLocaleString('en-US')} more.</Text>
            )}
          </Alert>
        )}
        {shown && 'items' in shown && (
          <Done key={made.submittedAt + trial.submittedAt}>
            {made.data ? 'Imported: ' : 'This would import '}
            {count(shown.items, 'eSIM')}; {count(shown.orders_tried, 'order')} waiting for them.
          </Done>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {made.data && 'items' in made.data ? 'Close' : 'Cancel'}
          </Button>
          <Button
            variant="default"
            loading={trial.isPending}
            disabled={!isReady || isBusy}
            onClick={() => void send(true)}
          >
            Check the file
          </Button>
          <Button type="submit" loading={made.isPending} disabled={!isReady || isBusy}>
            Import
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
