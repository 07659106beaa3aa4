import { Button } from '@mantine/core';
import { IconBuildingStore } from '../../parts/icons.ts';
import { Problem } from '../../parts/Problem.tsx';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { leaveFor } from './SsoReturn.tsx';

interface SsoButtonProps {
  label: string;
  start: () => Change<{ readonly url: string }>;
  /** The page to show afterwards. */
  after: string;
}

/** Goes to where the person's company signs them in. */
export function SsoButton({ label, start, after }: SsoButtonProps) {
  const begin = useChange(start, undefined, ({ url }) => leaveFor(url, after));
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBuildingStore size={18} />}
        loading={begin.isPending}
        onClick={() => begin.mutate(undefined)}
      >
        {label}
      </Button>
      <Problem error={begin.error} />
    </>
  );
}
