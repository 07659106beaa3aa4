import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconEye } from '../parts/icons.ts';
import { Problem } from '../parts/Problem.tsx';
import { useChange } from '../parts/server/useChange.ts';
import { me, signOut } from './api/session.ts';
import { useIsView } from './useIsView.ts';
import classes from './ViewBand.module.css';

/** Shown above every page while an operator views a partner's panel. */
export function ViewBand() {
  const partner = useQuery(me).data?.partner;
  const isView = useIsView();
  const leave = useChange(signOut, undefined, () =>
    // A page load: the console is another application.
    window.location.assign(`/operator/partners/${partner?.id ?? ''}`),
  );
  if (!isView) return null;
  return (
    <Group className={classes.band} justify="space-between" gap="xs" role="status" aria-live="off">
      <Group gap={8} wrap="nowrap">
        <IconEye size={18} />
        <Text size="sm">
          You see <strong>{partner?.name}</strong> as an operator. Nothing can be changed, and activation data is
          hidden.
        </Text>
      </Group>
      <Button size="compact-sm" variant="white" color="dark" loading={leave.isPending} onClick={() => leave.mutate()}>
        Back to the console
      </Button>
      <Problem error={leave.error} />
    </Group>
  );
}
