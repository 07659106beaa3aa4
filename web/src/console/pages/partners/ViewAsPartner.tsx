import { Button } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { post } from '../../../api/client.ts';
import { Problem } from '../../../components/Problem.tsx';

/** Opens the partner's panel as its members see it; nothing can be changed there, and the audit log says who looked. */
export function ViewAsPartner({ id }: { id: number }) {
  const view = useMutation({
    mutationFn: () => post(`/operator/api/partners/${id}/view`),
    // A page load: the panel is another application.
    onSuccess: () => window.location.assign('/live'),
  });
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
