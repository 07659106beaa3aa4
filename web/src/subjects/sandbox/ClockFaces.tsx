import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { utc } from '../../parts/When.tsx';
import type { SandboxTime } from './useTicking.ts';

/** Sandbox time and real time, side by side. */
export function ClockFaces({ time }: { time: SandboxTime | undefined }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Face
        name="Sandbox time (UTC)"
        at={time?.now}
        note={time?.on ? `${spelled(time.aheadSeconds)} ahead` : 'Same as real time'}
        turned={time?.on ?? false}
      />
      <Face name="Real time (UTC)" at={time?.real} note="The server’s clock" turned={false} />
    </SimpleGrid>
  );
}

function Face({ name, at, note, turned }: { name: string; at: Date | undefined; note: string; turned: boolean }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      {at ? (
        <Text
          fz="xl"
          fw={600}
          className="num"
          c={turned ? 'var(--world-sandbox)' : 'inherit'}
          component="time"
          display="block"
        >
          {utc(at)}
        </Text>
      ) : (
        <Skeleton height={28} width={230} my={4} />
      )}
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </div>
  );
}

const units = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** 90061 seconds: "1 d 1 h 1 min 1 s". */
function spelled(seconds: number): string {
  let rest = seconds;
  const parts = units.flatMap(([size, name]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.join(' ');
}
