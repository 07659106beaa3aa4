import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Refusal } from '../../api/client.ts';
import { type Usage, usage } from '../../api/orders.ts';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { megabytes } from '../../components/megabytes.ts';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import type { Mode } from '../../paths.ts';

const toneColor = { ok: 'teal', warning: 'yellow', danger: 'red' } as const;
const statusName = { not_active: 'Not activated', active: 'Active', depleted: 'Used up', expired: 'Expired' } as const;

export function UsageBar({ mode, iccid }: { mode: Mode; iccid: string }) {
  const read = useQuery(usage(mode, iccid));
  if (read.error instanceof Refusal && read.error.code === 'usage_not_available')
    return (
      <Section title="Usage">
        <Text size="sm" c="dimmed">
          No usage has been reported for this eSIM yet.
        </Text>
      </Section>
    );
  return (
    <Section title="Usage" about="Can be a minute or two old.">
      <Loaded query={read}>{(data) => <Figures of={data.usage} />}</Loaded>
    </Section>
  );
}

function Figures({ of }: { of: Usage }) {
  const usedPercent = 100 - of.percent_remaining;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600} className="num">
          {of.is_unlimited
            ? `${megabytes(of.used_mb)} used, unlimited`
            : `${megabytes(of.used_mb)} of ${megabytes(of.total_mb)} used`}
        </Text>
        <Badge color={toneColor[of.tone]}>{statusName[of.status]}</Badge>
      </Group>
      {!of.is_unlimited && (
        <Progress value={usedPercent} color={toneColor[of.tone]} size="lg" aria-label={`${usedPercent} percent used`} />
      )}
      <Facts
        facts={[
          ['Remaining', of.is_unlimited ? null : megabytes(of.remaining_mb)],
          ['Activated (UTC)', <When key="activated" at={of.activated_at} never="Not yet" />],
          ['Expires (UTC)', <When key="expires" at={of.expires_at} never="Set on activation" />],
          ['Days left', of.days_left],
          ['Updated (UTC)', <When key="read" at={of.fetched_at} />],
        ]}
      />
    </Stack>
  );
}
