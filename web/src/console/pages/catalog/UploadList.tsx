import { Button, Group, Loader, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { Form } from '../../../parts/Form.tsx';
import { IconUpload } from '../../../parts/icons.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { importFile } from '../../api/catalog.ts';
import { FileField, isTooLarge } from '../../FileField.tsx';
import { ConfirmOffSale, ImportOutcome, needsYes } from './ImportOutcome.tsx';

const MAX_MB = 4;

/** Uploads a price list, after a preview of what it would change. */
export function UploadList() {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" leftSection={<IconUpload size={16} />} onClick={open}>
        Upload a file
      </Button>
      <Modal opened={opened} onClose={close} title="Import a price list from a file" size="xl">
        {opened && <UploadForm close={close} />}
      </Modal>
    </>
  );
}

function UploadForm({ close }: { close: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  /** The text that was checked is the text that is imported, even if the file on disk changes meanwhile. */
  const [text, setText] = useState('');
  const [yes, setYes] = useState(false);
  const tried = useChange((checked: string) => importFile(checked, { 'dry-run': true }));
  const made = useChange((checked: string) => importFile(checked, { yes }), ['catalog']);
  const choose = (next: File | null) => {
    setFile(next);
    setYes(false);
    tried.reset();
    made.reset();
  };
  const check = async () => {
    made.reset();
    const read = (await file?.text()) ?? '';
    setText(read);
    tried.mutate(read);
  };
  const result = made.data ?? tried.data;
  const isBusy = tried.isPending || made.isPending;
  const isDone = made.data !== undefined && !('ok' in made.data);
  const isChecked = tried.data !== undefined && !('ok' in tried.data);
  return (
    <Form onSubmit={() => made.mutate(text)}>
      <Stack>
        {!isDone && (
          <FileField
            description="JSON, as the import of the command line reads it"
            accept=".json,application/json"
            maxMb={MAX_MB}
            value={file}
            onChange={choose}
          />
        )}
        {isBusy && (
          <Group gap="sm" wrap="nowrap" role="status">
            <Loader size="sm" />
            <Text size="sm">
              {made.isPending
                ? 'Importing. That takes seconds; closing this window does not stop it.'
                : 'Checking every row against the catalog. Nothing is changed yet.'}
            </Text>
          </Group>
        )}
        {result && <ImportOutcome of={result} done={made.data !== undefined} />}
        {!isDone && tried.data && <ConfirmOffSale of={tried.data} checked={yes} onChange={setYes} />}
        <Problem error={made.error ?? tried.error} />
        <Group justify="flex-end">
          <Button variant={isDone ? 'filled' : 'default'} onClick={close}>
            {isDone ? 'Close' : 'Cancel'}
          </Button>
          {/* Two buttons: the second click of a double click on the first must not import. */}
          {!isDone && (
            <Button
              variant={isChecked ? 'default' : 'filled'}
              loading={tried.isPending}
              disabled={file === null || isTooLarge(file, MAX_MB) || isBusy}
              onClick={() => void check()}
            >
              Check the file
            </Button>
          )}
          {!isDone && (
            <Button
              type="submit"
              variant={isChecked ? 'filled' : 'default'}
              loading={made.isPending}
              disabled={!isChecked || isBusy || (needsYes(tried.data) && !yes)}
            >
              Import
            </Button>
          )}
        </Group>
      </Stack>
    </Form>
  );
}
