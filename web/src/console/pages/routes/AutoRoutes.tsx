import { Badge, Button, Group, Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Section } from '../../../parts/Section.tsx';
import type { ActionInput } from '../../api/actions.ts';
import type { RoutesView } from '../../api/routes.ts';
import { useMay } from '../../useMay.ts';
import { TryThenSave } from './TryThenSave.tsx';

type Auto = RoutesView['auto'][number];

interface Row {
  /** Null: all suppliers without a setting of their own. */
  readonly supplier: string | null;
  readonly title: string;
  readonly setting: Auto | undefined;
  /** The setting of the row for all suppliers, if it applies here. */
  readonly general: Auto | undefined;
  readonly lost: number | null;
}

/** Whether plans without a route of their own take suggestions. */
export function AutoRoutes({ of: { auto, suppliers, lost_days } }: { of: RoutesView }) {
  const mayChange = useMay()('manage');
  const general = auto.find(({ supplier }) => supplier === null);
  const rows: Row[] = [
    { supplier: null, title: 'All suppliers', setting: general, general: undefined, lost: null },
    ...suppliers.map(({ supplier, title, lost }) => ({
      supplier,
      title,
      setting: auto.find((one) => one.supplier === supplier),
      general,
      lost,
    })),
  ];
  return (
    <Section
      title="Automatic routes"
      about="Where they are on, a plan without a route uses the suggestions: cheapest first, and at most at the price the partner paid."
      flush
    >
      <DataTable
        label="Automatic routes"
        columns={columns(mayChange, lost_days)}
        rows={rows}
        rowKey={({ supplier }) => supplier ?? ''}
      />
    </Section>
  );
}

const columns = (mayChange: boolean, days: number): Column<Row>[] => [
  {
    label: 'Plans of',
    cell: ({ supplier, title }) => (supplier === null ? title : `${title} (${supplier})`),
  },
  { label: 'State', cell: (row) => <State of={row} /> },
  {
    label: `Lost to others in ${days} days`,
    cell: ({ lost }) => (lost ? count(lost, 'order') : null),
  },
  ...(mayChange ? [{ label: 'Actions', kind: 'actions' as const, cell: (row: Row) => <ChangeAuto of={row} /> }] : []),
];

function State({ of: { supplier, setting, general } }: { of: Row }) {
  const counts = setting ?? general;
  const text = counts?.isOn ? (counts.prefer === 'cheapest' ? 'On, cheapest first' : 'On, own supplier first') : 'Off';
  return (
    <Group gap={6}>
      <Badge color={counts?.isOn ? 'teal' : 'gray'}>{text}</Badge>
      {supplier !== null && !setting && (
        <Text size="xs" c="dimmed" span>
          as for all
        </Text>
      )}
    </Group>
  );
}

function ChangeAuto({ of: row }: { of: Row }) {
  const [opened, { open, close }] = useDisclosure();
  const whose = row.supplier === null ? 'all suppliers' : row.title;
  return (
    <>
      <Button size="xs" variant="default" aria-label={`Change automatic routes of ${whose}`} onClick={open}>
        Change
      </Button>
      <Modal opened={opened} onClose={close} title={`Automatic routes for plans of ${whose}`} size="xl">
        {opened && <AutoForm of={row} close={close} />}
      </Modal>
    </>
  );
}

type Input = ActionInput<'route auto'>;

function AutoForm({ of: { supplier, setting, general }, close }: { of: Row; close: () => void }) {
  const now = setting ?? general;
  const [way, setWay] = useState<Input['setting']>(now?.isOn ? 'on' : 'off');
  const [prefer, setPrefer] = useState<Input['prefer']>(now?.prefer ?? 'own');
  return (
    <TryThenSave
      action="route auto"
      input={{ setting: way, ...(supplier !== null && { supplier }), ...(way === 'on' && { prefer }) }}
      saveLabel="Save"
      close={close}
    >
      <Radio.Group
        label="Plans without a route of their own"
        value={way}
        onChange={(next) => setWay(next as Input['setting'])}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="on" label="Take the suggestions" />
          <Radio value="off" label="Are delivered by their own supplier only" />
        </Stack>
      </Radio.Group>
      {way === 'on' && (
        <NativeSelect
          label="Asked first"
          data={[
            { value: 'own', label: 'The plan’s own supplier' },
            { value: 'cheapest', label: 'The cheapest of all' },
          ]}
          value={prefer}
          onChange={({ currentTarget }) => setPrefer(currentTarget.value as Input['prefer'])}
        />
      )}
      {supplier === null && (
        <Text size="sm" c="dimmed">
          {way === 'on'
            ? 'Suppliers with a setting of their own keep it.'
            : 'This also removes the settings of single suppliers. Routes set for plans stay.'}
        </Text>
      )}
    </TryThenSave>
  );
}
