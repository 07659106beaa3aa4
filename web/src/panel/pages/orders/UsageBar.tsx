import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { megabytes } from '../../../parts/megabytes.ts';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { esim, type Usage } from '../../api/esims.ts';
import { stateName } from '../esims/EsimState.tsx';

const toneColor = { ok: 'teal', warning: 'yellow', danger: 'red' } as const;

/** The contract's figures for `sandbox_usage`, which do not depend on the plan. */
export const SCRIPTED = 'Sandbox usage is scripted by sandbox_usage: 1 GB in total, whatever the plan, plus refills.';

/** Usage grows while the page is open. */
const EVERY_MS = 30_000;

/** The usage of an eSIM, its refills included. */
export function UsageBar({ mode, iccid }: { mode: Mode; iccid: string }) {
  const read = useQuery({ ...esim(mode, iccid), refetchInterval: EVERY_MS });
  // Withdrawn: it was never used, and never will be.
  if (read.data?.esim.state === 'cancelled') return null;
  return (
    <Section title="Usage" about={read.data?.usage && (mode === 'sandbox' ? SCRIPTED : 'Can be a minute or two old.')}>
      <Loaded query={read}>{({ usage }) => <Reading of={usage} />}</Loaded>
    </Section>
  );
}

function Reading({ of }: { of: Usage | null }) {
  if (of) return <Figures of={of} />;
  return (
    <Text size="sm" c="dimmed">
      No usage has been reported for this eSIM yet.
    </Text>
  );
}

function Figures({ of }: { of: Usage }) {
  const usedPercent = 100 - of.percent_remaining;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600} className="num">
          {of.is_unlimited
            ? `${megabytes(of.used_mb)} used${of.status === 'depleted' ? '' : ', unlimited'}`
            : `${megabytes(of.used_mb)} of ${megabytes(of.total_mb)} used`}
        </Text>
        <Badge color={toneColor[of.tone]}>{stateName[of.status]}</Badge>
      </Group>
      {!of.is_unlimited && (
        <Progress value={usedPercent} color={toneColor[of.tone]} size="lg" aria-label={`${usedPercent} percent used`} />
      )}
      <Facts
        facts={[
          [of.status === 'expired' ? 'Unused' : 'Remaining', of.is_unlimited ? null : megabytes(of.remaining_mb)],
          ['Activated', <When key="activated" at={of.activated_at} never="Not yet" />],
          ['Expires', <When key="expires" at={of.expires_at} never="Set on activation" />],
          ['Days left', of.days_left],
          ['Updated', <When key="read" at={of.fetched_at} />],
        ]}
      />
    </Stack>
  );
}
