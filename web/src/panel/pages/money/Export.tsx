import { Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { IconDownload } from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import { address } from '../../../parts/server/calls.ts';

interface ExportProps {
  mode: Mode;
  file: 'movements' | 'statement' | 'revenue-share';
  /** As in "Download the movements as CSV". */
  what: string;
}

/** A download of one list as CSV: a range of days and, on request, times in the reader's own zone. */
export function Export({ mode, file, what }: ExportProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [isLocal, setLocal] = useState(false);
  const isWrong = from !== '' && to !== '' && from > to;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const range = { from: from || undefined, to: to || undefined, tz: isLocal ? zone : undefined };
  return (
    <Popover position="bottom-end" width={320} shadow="md" trapFocus withRoles>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconDownload size={16} />}
          aria-label={`Download ${what} as CSV`}
        >
          CSV
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={`Download ${what} as CSV`}>
        <Stack gap="sm">
          <Group grow gap="xs">
            <TextInput
              type="date"
              label="From"
              value={from}
              max={to || undefined}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label="To (included)"
              value={to}
              min={from || undefined}
              onChange={(event) => setTo(event.currentTarget.value)}
              error={isWrong && 'Before the first day'}
            />
          </Group>
          <Text size="xs" c="dimmed">
            Days in UTC. Leave both empty for everything.
          </Text>
          <Checkbox
            label={`Add times in your zone (${zone})`}
            checked={isLocal}
            onChange={(event) => setLocal(event.currentTarget.checked)}
          />
          <Button
            component="a"
            href={address(`/api/{mode}/${file}.csv`, { ...range, mode })}
            download
            disabled={isWrong}
            leftSection={<IconDownload size={16} />}
          >
            Download
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
