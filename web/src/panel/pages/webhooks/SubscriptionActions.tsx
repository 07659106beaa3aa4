import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from 'react-router';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Done } from '../../../parts/Done.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { SecretDialog } from '../../../parts/SecretDialog.tsx';
import { andThen } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import {
  DeleteSubscription,
  EditSubscription,
  FinishRotation,
} from '../../../subjects/webhooks/SubscriptionChanges.tsx';
import { isActive, isRotating } from '../../../subjects/webhooks/SubscriptionStatus.tsx';
import type { Subscription } from '../../../subjects/webhooks/webhooks.ts';
import {
  finishRotation,
  pauseOrResume,
  rotateSecret,
  sendTest,
  subscriptionCalls,
  unsubscribe,
} from '../../api/webhooks.ts';
import { paths } from '../../paths.ts';

export function SubscriptionActions({ mode, of }: { mode: Mode; of: Subscription }) {
  const navigate = useNavigate();
  const active = isActive(of);
  const test = useChange(() => sendTest(mode, of.id), [mode, 'webhooks']);
  const turn = useChange((action: 'pause' | 'resume') => pauseOrResume(mode, of.id, action), [mode, 'webhooks']);
  const rotate = useChange(() => rotateSecret(mode, of.id), [mode, 'webhooks']);
  const finish = useChange(() => finishRotation(mode, of.id), [mode, 'webhooks']);
  const remove = useChange(
    () => andThen(unsubscribe(mode, of.id), () => navigate(paths.webhooks(mode))),
    [mode, 'webhooks'],
  );
  return (
    <Stack mt="md" gap="sm">
      <Group gap="xs">
        <Button size="xs" disabled={!active} loading={test.isPending} onClick={() => test.mutate(undefined)}>
          Send test event
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={turn.isPending}
          onClick={() => turn.mutate(active ? 'pause' : 'resume')}
        >
          {active ? 'Pause' : 'Resume'}
        </Button>
        <EditSubscription calls={subscriptionCalls(mode)} mode={mode} of={of} />
        <ConfirmButton size="xs" label="Rotate secret" title="Rotate the signing secret?" change={rotate}>
          You’ll see the new secret once. Until you finish the rotation or 24 hours pass, X-Signature keeps the old
          secret and webhook-signature carries both.
        </ConfirmButton>
        {isRotating(of) && <FinishRotation receiver="your receiver" change={finish} />}
        <DeleteSubscription of={of} change={remove} />
      </Group>
      {test.data && <Done key={test.submittedAt}>Test event queued. Its delivery appears below in a moment.</Done>}
      <Problem error={test.error ?? turn.error} />
      <SecretDialog
        title="New signing secret"
        what="the signing secret"
        secret={rotate.data?.secret}
        onClose={rotate.reset}
      >
        Until you finish the rotation or 24 hours pass, X-Signature keeps the old secret and webhook-signature carries
        both. Give your receiver the new secret, then finish the rotation.
      </SecretDialog>
    </Stack>
  );
}
