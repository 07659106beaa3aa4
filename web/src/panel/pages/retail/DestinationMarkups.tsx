import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { IconWorld } from '../../../parts/icons.ts';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { destinations } from '../../api/catalog.ts';
import { type Retail, setRetailMarkup } from '../../api/retail.ts';

type Row = Retail['destinations'][number];

export const DestinationMarkups = ({ of, mayChange }: { of: readonly Row[]; mayChange: boolean }) => (
  <Section
    title="Destinations"
    about="A markup here replaces that of the rule."
    actions={mayChange && <SetMarkup />}
    flush
  >
    {of.length === 0 ? (
      <Empty icon={IconWorld} title="No destination has a markup of its own" />
    ) : (
      <DataTable label="Destinations" columns={columns(mayChange)} rows={of} rowKey={({ code }) => code} />
    )}
  </Section>
);

const columns = (mayChange: boolean): Column<Row>[] => [
  { label: 'Destination', cell: ({ title }) => title },
  { label: 'Markup', kind: 'figure', cell: ({ markup }) => <span className="num">{markup}%</span> },
  ...(mayChange ? [{ label: 'Actions', kind: 'actions' as const, cell: (row: Row) => <RemoveMarkup of={row} /> }] : []),
];

function SetMarkup() {
  const change = useChange(setRetailMarkup, []);
  const all = useQuery(destinations('live')).data?.destinations ?? [];
  return (
    <FormDialog
      label="Set a markup"
      title="Markup for a destination"
      submitLabel="Set markup"
      change={change}
      onSubmit={(typed) => change.mutateAsync({ code: String(typed.get('code')), markup: String(typed.get('markup')) })}
    >
      <NativeSelect
        name="code"
        label="Destination"
        data={all.map(({ code, title }) => ({ value: code, label: title }))}
      />
      <TextInput
        name="markup"
        label="Markup in percent"
        inputMode="decimal"
        placeholder="e.g. 60"
        required
        withAsterisk={false}
        autoComplete="off"
      />
    </FormDialog>
  );
}

function RemoveMarkup({ of: { code, title } }: { of: Row }) {
  const change = useChange(setRetailMarkup, []);
  return (
    <Button
      size="xs"
      variant="default"
      loading={change.isPending}
      onClick={() => change.mutate({ code, markup: '' })}
      aria-label={`Remove the markup for ${title}`}
    >
      Remove
    </Button>
  );
}
