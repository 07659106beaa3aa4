import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Choice } from '../../../parts/Choice.tsx';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Form } from '../../../parts/Form.tsx';
import { IconDownload, IconShieldLock } from '../../../parts/icons.ts';
import { Page } from '../../../parts/Page.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { type ActionResult, useAction } from '../../api/actions.ts';
import { useMay } from '../../useMay.ts';
import { download } from './download.ts';

const kinds = [
  { value: 'iccid', label: 'eSIM', field: 'ICCID', about: 'Whoever used this eSIM.' },
  {
    value: 'email',
    label: 'Person',
    field: 'Email address',
    about: 'A member, an applicant, or a traveller who asked for help.',
  },
  {
    value: 'reference',
    label: 'Reference',
    field: 'Reference',
    about: 'The orders that a partner gave this reference.',
  },
  {
    value: 'partner',
    label: 'Partner',
    field: 'Partner number',
    about: 'A whole account. Erasing needs a closed one.',
  },
] as const;
type Kind = (typeof kinds)[number]['value'];
type Erased = ActionResult<'privacy erase'>;

/** Shows or erases what is stored about somebody, on their request. */
export function Privacy() {
  const mayManage = useMay()('manage');
  return (
    <Page
      title="Privacy"
      about="What is stored about a person, an eSIM, a reference or a partner. Both worlds are included."
    >
      {mayManage ? (
        <Request />
      ) : (
        <Section title="Request">
          <Empty icon={IconShieldLock} title="Your role does not allow this. An admin can export and erase." />
        </Section>
      )}
    </Page>
  );
}

function Request() {
  const [kind, setKind] = useState<Kind>('iccid');
  const [value, setValue] = useState('');
  const [erased, setErased] = useState<Erased>();
  const exporting = useAction('privacy export', []);
  const erasing = useAction('privacy erase', []);
  const chosen = kinds.find((one) => one.value === kind) ?? kinds[0];
  const input = { [kind]: value.trim() };
  const isReady = value.trim() !== '';
  const choose = (next: Kind) => {
    setKind(next);
    setErased(undefined);
    exporting.reset();
    erasing.reset();
  };
  return (
    <>
      <Section title="Request">
        <Form
          onSubmit={() =>
            exporting.mutateAsync(input).then(
              (result) => download('privacy-export.json', result),
              () => {},
            )
          }
        >
          <Stack>
            <Choice isFullWidth label="About" options={kinds} value={kind} onChange={choose} />
            <TextInput
              label={chosen.field}
              description={chosen.about}
              value={value}
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
              type={kind === 'email' ? 'email' : 'text'}
              inputMode={kind === 'iccid' || kind === 'partner' ? 'numeric' : undefined}
              autoComplete="off"
              maw={420}
              required
            />
            <Problem error={exporting.error} />
            <Group>
              <Button
                type="submit"
                disabled={!isReady}
                loading={exporting.isPending}
                leftSection={<IconDownload size={16} />}
              >
                Export as a file
              </Button>
              <ConfirmButton
                label="Erase"
                title={`Erase what is stored about this ${chosen.label}`}
                word="erase"
                disabled={!isReady}
                change={{ ...erasing, mutateAsync: () => erasing.mutateAsync(input).then(setErased) }}
              >
                Addresses, names, devices, countries, references, texts and activation data are gone for good, except in
                backups made before. Orders, the ledger and invoices stay for as long as the law asks for them.
              </ConfirmButton>
            </Group>
          </Stack>
        </Form>
      </Section>
      {erased && <Outcome erased={erased} />}
    </>
  );
}

function Outcome({ erased: { erased, kept } }: { erased: Erased }) {
  const gone = Object.entries(erased).map(([table, rows]) => ({ table, rows, why: 'erased' }));
  const rows = [...gone, ...kept.map((one) => ({ ...one, why: `kept: ${one.why}` }))];
  return (
    <Section title="What was erased, and what was kept">
      {rows.length === 0 ? (
        <Alert color="blue">
          <Text size="sm">Nothing is stored about it.</Text>
        </Alert>
      ) : (
        <DataTable
          label="What was erased, and what was kept"
          columns={[
            { label: 'Table', cell: ({ table }) => <span className="mono">{table}</span> },
            { label: 'Rows', kind: 'figure', cell: ({ rows: count }) => count },
            { label: 'What happened', cell: ({ why }) => why },
          ]}
          rows={rows}
          rowKey={({ table, why }) => `${table} ${why}`}
        />
      )}
    </Section>
  );
}
