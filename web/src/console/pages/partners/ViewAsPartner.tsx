import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { Problem } from '../../../parts/Problem.tsx';
import { post } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';

/** Opens the partner's panel as its members see it; nothing can be changed there, and the audit log says who looked. */
export function ViewAsPartner({ id }: { id: number }) {
  const view = useChange(
    () => post(`/operator/api/partners/${id}/view`),
    undefined,
    // A page load: the panel is another application.
    () => window.location.assign('/live'),
  );
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEye size={16} />}
        loading={view.isPending}
        onClick={() => view.mutate()}
      >
        See their panel
      </Button>
      <Problem error={view.error} />
    </>
  );
}
