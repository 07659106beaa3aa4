import { Button, Group, Text } from '@mantine/core';
import { IconClock } from '../parts/icons.ts';
import { Problem } from '../parts/Problem.tsx';
import { useChange } from '../parts/server/useChange.ts';
import { utc } from '../parts/When.tsx';
import { resetClock } from './api/sandbox.ts';
import classes from './ClockBand.module.css';
import { useMay } from './useMay.ts';
import { useSandboxTime } from './useSandboxTime.ts';

/** Shown above every sandbox page while the test clock is on, because it explains dates in the future. */
export function ClockBand() {
  const time = useSandboxTime();
  const may = useMay();
  const back = useChange(resetClock, ['sandbox']);
  if (!time?.on) return null;
  return (
    <Group className={classes.band} justify="space-between" gap="xs" role="status" aria-live="off">
      <Group gap={8} wrap="nowrap">
        <IconClock size={18} />
        <Text size="sm">
          The test clock is on. Sandbox time: <strong className="num">{utc(time.now)} UTC</strong>
        </Text>
      </Group>
      {may('develop') && (
        <Button
          size="compact-sm"
          variant="white"
          color="dark"
          loading={back.isPending}
          onClick={() => back.mutate(undefined)}
        >
          Return to real time
        </Button>
      )}
      <Problem error={back.error} />
    </Group>
  );
}
