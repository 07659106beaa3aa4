import { Badge, Switch } from '@mantine/core';
import { useState } from 'react';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconSettings } from '../../../parts/icons.ts';
import { Section } from '../../../parts/Section.tsx';
import type { Setting } from '../../api/service.ts';

/** Whether it was set, as far as we can tell. */
const isChanged = ({ value, is_set, otherwise }: Setting): boolean => (value === null ? is_set : otherwise !== null);

export function SettingsInForce({ of: settings }: { of: readonly Setting[] }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? settings : settings.filter(isChanged);
  return (
    <Section
      title="Settings"
      about="Those of the process that serves this page; other processes may have different ones. Secrets are never shown, only whether they are set."
      actions={
        <Switch
          label="Show those at their default"
          checked={isAll}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
      }
      flush
    >
      {shown.length === 0 ? (
        <Empty icon={IconSettings} title="Everything is at its default" />
      ) : (
        <DataTable label="Settings" columns={columns} rows={shown} rowKey={({ name }) => name} />
      )}
    </Section>
  );
}

const orEmpty = (value: string): string => (value === '' ? 'not set' : value);

const columns: readonly Column<Setting>[] = [
  { label: 'Setting', cell: ({ name }) => <span className="mono">{name}</span> },
  {
    label: 'Value',
    cell: ({ value, is_set }) =>
      value === null ? (
        <Badge color={is_set ? 'teal' : 'gray'}>{is_set ? 'Set, hidden' : 'Not set'}</Badge>
      ) : (
        <span className="mono">{orEmpty(value)}</span>
      ),
  },
  {
    label: 'Default',
    cell: ({ otherwise }) => (otherwise === null ? '–' : <span className="mono">{orEmpty(otherwise)}</span>),
  },
];
