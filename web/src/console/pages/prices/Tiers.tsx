import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Form } from '../../../parts/Form.tsx';
import { IconPlus, IconX } from '../../../parts/icons.ts';
import { dollars } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { type ActionInput, useAction } from '../../api/actions.ts';
import { useMay } from '../../useMay.ts';
import { PreviewedChange } from './Preview.tsx';

interface Tier {
  readonly min_usd: string;
  readonly pct: string;
}

const columns: readonly Column<Tier>[] = [
  { label: 'Top-ups from', cell: ({ min_usd }) => dollars(min_usd) },
  { label: 'Share of the margin', kind: 'figure', cell: ({ pct }) => `${Number(pct)}%` },
];

/** Which share of the margin the top-ups of the last days earn. */
export function Tiers({ tiers, windowDays }: { tiers: readonly Tier[]; windowDays: number }) {
  const mayChange = useMay()('money');
  return (
    <Section
      title="Tiers"
      about={`The share that a partner’s top-ups of the last ${count(windowDays, 'day')} earn, unless a rule or a share agreed with the partner applies.`}
      flush={!mayChange}
    >
      {mayChange ? (
        <EditTiers tiers={tiers} windowDays={windowDays} />
      ) : tiers.length === 0 ? (
        <Empty icon={IconX} title="No tiers" />
      ) : (
        <DataTable label="Tiers" columns={columns} rows={tiers} rowKey={({ min_usd }) => min_usd} />
      )}
    </Section>
  );
}

interface DraftTier extends Tier {
  readonly key: number;
}

function EditTiers({ tiers, windowDays }: { tiers: readonly Tier[]; windowDays: number }) {
  const [rows, setRows] = useState<readonly DraftTier[]>(
    tiers.map(({ min_usd, pct }, key) => ({ key, min_usd, pct: String(Number(pct)) })),
  );
  const [days, setDays] = useState(String(windowDays));
  const [previewed, setPreviewed] = useState<ActionInput<'pricing tiers'>>();
  const save = useAction('pricing tiers', ['prices']);
  const write = (next: readonly DraftTier[]) => {
    setRows(next);
    setPreviewed(undefined);
  };
  const set = (key: number, change: Partial<Tier>) =>
    write(rows.map((row) => (row.key === key ? { ...row, ...change } : row)));
  const input = {
    tiers: rows.length === 0 ? 'none' : rows.map(({ min_usd, pct }) => `${min_usd.trim()}=${pct.trim()}`).join(','),
    'window-days': days.trim(),
  };
  return (
    <Stack>
      <Form
        onSubmit={() => {
          setPreviewed(input);
        }}
      >
        <Stack gap="xs">
          {rows.length === 0 && <Text size="sm">There are no tiers: without a rule, partners pay the list price.</Text>}
          {rows.map(({ key, min_usd, pct }, i) => (
            <Group key={key} gap="xs" align="flex-end" wrap="nowrap">
              <TextInput
                label={i === 0 ? 'Top-ups from (USD)' : undefined}
                aria-label={`Top-ups from, tier ${i + 1}`}
                inputMode="decimal"
                value={min_usd}
                onChange={({ currentTarget }) => set(key, { min_usd: currentTarget.value })}
                flex={1}
              />
              <TextInput
                label={i === 0 ? 'Share in %' : undefined}
                aria-label={`Share in percent, tier ${i + 1}`}
                inputMode="decimal"
                value={pct}
                onChange={({ currentTarget }) => set(key, { pct: currentTarget.value })}
                flex={1}
              />
              <ActionIcon
                variant="default"
                size="input-sm"
                aria-label={`Remove tier ${i + 1}`}
                onClick={() => write(rows.filter((row) => row.key !== key))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
          ))}
          <Group justify="space-between" align="flex-end">
            <TextInput
              label="Days that a top-up counts"
              inputMode="numeric"
              value={days}
              onChange={({ currentTarget }) => {
                setDays(currentTarget.value);
                setPreviewed(undefined);
              }}
            />
            <Group gap="xs">
              <Button
                variant="default"
                leftSection={<IconPlus size={16} />}
                onClick={() =>
                  write([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, min_usd: '', pct: '' }])
                }
              >
                Add tier
              </Button>
              {!previewed && (
                <Button type="submit" variant="default">
                  Preview
                </Button>
              )}
            </Group>
          </Group>
        </Stack>
      </Form>
      {previewed && (
        <PreviewedChange
          input={{ ...previewed }}
          save={{ ...save, mutate: () => save.mutate(previewed, { onSuccess: () => setPreviewed(undefined) }) }}
          saveLabel="Save tiers"
          onCancel={() => setPreviewed(undefined)}
        />
      )}
    </Stack>
  );
}
