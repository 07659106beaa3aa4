import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconDownload } from '../../../parts/icons.ts';
import { Section } from '../../../parts/Section.tsx';
import { address } from '../../../parts/server/calls.ts';

const files = [
  { file: 'movements', label: 'Movements of all partners', size: 'Every line of every wallet and invoice account.' },
  {
    file: 'settlements',
    label: 'Settled revenue shares',
    size: 'One line for each share, by the time it was settled.',
  },
] as const;

/** A month as files for a spreadsheet. */
export function ExportsTab() {
  const [month, setMonth] = useState(() => new Date().toISOString().slice(0, 7));
  const [isLocal, setLocal] = useState(false);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Section
      title="Exports"
      about="CSV files of one month (UTC), all partners together. The trial balance has its own file on the Ledger tab, the figures of one partner are on its statement."
    >
      <Stack gap="md" align="flex-start">
        <TextInput
          type="month"
          label="Month (UTC)"
          value={month}
          onChange={({ currentTarget: { value } }) => setMonth(value)}
        />
        <Checkbox
          label={`Add times in your zone (${zone})`}
          checked={isLocal}
          onChange={({ currentTarget: { checked } }) => setLocal(checked)}
        />
        {files.map(({ file, label, size }) => (
          <Group key={file} gap="sm">
            <Button
              component="a"
              href={address(`/operator/api/money/${file}.csv`, { month, tz: isLocal ? zone : undefined })}
              download
              variant="default"
              disabled={month === ''}
              leftSection={<IconDownload size={16} />}
            >
              {label}
            </Button>
            <span>{size}</span>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
