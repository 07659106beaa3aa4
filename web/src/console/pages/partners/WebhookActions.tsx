import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { SecretDialog } from '../../../parts/SecretDialog.tsx';
import {
  DeleteSubscription,
  EditSubscription,
  FinishRotation,
  type SubscriptionCalls,
} from '../../../subjects/webhooks/SubscriptionChanges.tsx';
import { isActive, isRotating } from '../../../subjects/webhooks/SubscriptionStatus.tsx';
import { useAction } from '../../api/actions.ts';
import { allPartners, type Partner, type PartnerSubscription } from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { withInput } from './withInput.ts';

interface ActionsProps {
  partner: Partner;
  of: PartnerSubscription;
  calls: SubscriptionCalls;
}

/** For a closed account only the actions that stop its webhooks are left. */
export function WebhookActions({ partner, of, calls }: ActionsProps) {
  const manages = useMay()('manage');
  const isOpen = partner.status !== 'closed';
  return (
    <Group gap="xs" justify="flex-end">
      {isActive(of) ? <Pause of={of} /> : isOpen && <Resume of={of} />}
      {isOpen && of.dead > 0 && <Requeue of={of} />}
      {isOpen && manages && (
        <>
          <EditSubscription calls={calls} mode={of.mode} of={of} />
          <Rotate of={of} />
          {isRotating(of) && <Finish of={of} />}
        </>
      )}
      <Delete of={of} />
    </Group>
  );
}

function Pause({ of }: { of: PartnerSubscription }) {
  const pause = useAction('webhook pause', allPartners);
  return (
    <>
      <Button size="xs" variant="default" loading={pause.isPending} onClick={() => pause.mutate({ id: of.id })}>
        Pause
      </Button>
      <Problem error={pause.error} />
    </>
  );
}

function Resume({ of }: { of: PartnerSubscription }) {
  const [discard, setDiscard] = useState(false);
  const resume = useAction('webhook resume', allPartners);
  return (
    <FormDialog
      label="Resume"
      title="Send to this webhook again?"
      submitLabel="Resume"
      change={resume}
      onOpen={() => setDiscard(false)}
      onSubmit={() => resume.mutateAsync({ id: of.id, discard })}
    >
      <Text size="sm">
        {of.held > 0
          ? 'What was held while it was stopped is sent first, oldest first.'
          : 'Nothing was held while it was stopped.'}
      </Text>
      {of.held > 0 && (
        <Checkbox
          label="Discard what was held"
          description="Those deliveries are not sent."
          checked={discard}
          onChange={(event) => setDiscard(event.currentTarget.checked)}
        />
      )}
    </FormDialog>
  );
}

function Requeue({ of }: { of: PartnerSubscription }) {
  const requeue = useAction('webhook requeue', allPartners);
  return (
    <FormDialog
      label="Requeue dead"
      title="Send the dead deliveries again?"
      submitLabel="Requeue"
      change={requeue}
      onSubmit={() => requeue.mutateAsync({ subscription: of.id })}
    >
      <Text size="sm">
        Every dead delivery of this webhook gets five more attempts. The receiver may get events it has already seen.
      </Text>
    </FormDialog>
  );
}

function Rotate({ of }: { of: PartnerSubscription }) {
  const [now, setNow] = useState(false);
  const rotate = useAction('webhook rotate', allPartners);
  return (
    <>
      <FormDialog
        label="Rotate secret"
        title="Create a new signing secret?"
        submitLabel="Rotate secret"
        change={rotate}
        onOpen={() => setNow(false)}
        onSubmit={() => rotate.mutateAsync({ id: of.id, now })}
      >
        <Text size="sm">
          The new secret is shown once. Until the rotation is finished or 24 hours pass, X-Signature keeps the old
          secret and webhook-signature carries both.
        </Text>
        <Checkbox
          label="The old secret has leaked"
          description="Sign with the new one only, from now on. The receiver rejects deliveries until it knows it."
          checked={now}
          onChange={(event) => setNow(event.currentTarget.checked)}
        />
      </FormDialog>
      <SecretDialog
        title="New signing secret"
        what="the signing secret"
        secret={rotate.data && 'secret' in rotate.data ? rotate.data.secret : undefined}
        onClose={rotate.reset}
      >
        Give it to the partner over a secure channel. When their receiver accepts it, finish the rotation.
      </SecretDialog>
    </>
  );
}

function Finish({ of }: { of: PartnerSubscription }) {
  const finish = useAction('webhook rotate', allPartners);
  return <FinishRotation receiver="the receiver" change={withInput(finish, { id: of.id, finish: true })} />;
}

function Delete({ of }: { of: PartnerSubscription }) {
  const remove = useAction('webhook delete', allPartners);
  return <DeleteSubscription of={of} change={withInput(remove, { id: of.id })} />;
}
