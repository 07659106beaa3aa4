import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { count } from '../../parts/count.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { Section } from '../../parts/Section.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import { When } from '../../parts/When.tsx';
import type { OwnAccount } from './account.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SetUpSecondFactor } from './SetUpSecondFactor.tsx';

interface SecondFactorProps {
  own: OwnAccount;
  /** Who can help a person who lost both app and recovery codes. */
  rescuer: string;
  /** The role needs it and there is no passkey, so it cannot be turned off. */
  isRequired?: boolean;
}

/** Whether signing in with the password also takes a code of an authenticator app, and the recovery codes. */
export function SecondFactor(props: SecondFactorProps) {
  const state = useQuery(props.own.secondFactor);
  return (
    <Section
      title="Two-step sign-in"
      about={`After your password you enter a code of an authenticator app, or use a passkey.${
        props.isRequired ? ' Your role needs one of them.' : ''
      }`}
    >
      <Loaded query={state} lines={2}>
        {({ on_since, recovery_codes_left }) =>
          on_since === null ? (
            <Off {...props} left={recovery_codes_left} />
          ) : (
            <On {...props} since={on_since} left={recovery_codes_left} />
          )
        }
      </Loaded>
    </Section>
  );
}

/** Once the person has seen the result, reads again what changed: the second factor, the signed-in person and their sessions. */
function useReadAgain() {
  const client = useQueryClient();
  return () => client.invalidateQueries();
}

function Off({ own, rescuer, left }: SecondFactorProps & { left: number }) {
  const readAgain = useReadAgain();
  const hasPasskeys = (useQuery(own.passkeys).data?.passkeys.length ?? 0) > 0;
  const start = useChange(own.startSecondFactor);
  return (
    <Stack align="flex-start">
      <Group gap="xs">
        <Badge color="gray">No app</Badge>
        <Text size="sm">
          {hasPasskeys
            ? `Your passkeys protect your sign-in. ${codesLeft(left)}`
            : 'Only your password protects your sign-in.'}
        </Text>
      </Group>
      <Problem error={start.error} />
      <Group gap="xs">
        <Button
          {...(hasPasskeys && { size: 'xs', variant: 'default' })}
          loading={start.isPending}
          onClick={() => start.mutate()}
        >
          Set up{hasPasskeys ? ' an app' : ''}
        </Button>
        {hasPasskeys && <NewCodes own={own} rescuer={rescuer} />}
      </Group>
      {start.data && (
        <SetUpSecondFactor
          setup={start.data}
          turnOn={own.turnOnSecondFactor}
          rescuer={rescuer}
          onClose={() => {
            start.reset();
            void readAgain();
          }}
        />
      )}
    </Stack>
  );
}

function On({ own, rescuer, isRequired = false, since, left }: SecondFactorProps & { since: string; left: number }) {
  const readAgain = useReadAgain();
  const hasPasskeys = (useQuery(own.passkeys).data?.passkeys.length ?? 0) > 0;
  const off = useChange(own.turnOffSecondFactor, undefined, readAgain);
  return (
    <Stack align="flex-start">
      <Group gap="xs">
        <Badge color="teal">On</Badge>
        <Text size="sm">
          Since <When at={since} exact />. {codesLeft(left)}
        </Text>
      </Group>
      <Group gap="xs">
        <NewCodes own={own} rescuer={rescuer} />
        {!isRequired && (
          <ConfirmButton
            size="xs"
            label="Turn off"
            title="Turn off two-step sign-in?"
            change={{ ...off, mutateAsync: () => off.mutateAsync() }}
          >
            {hasPasskeys
              ? 'From then on you need a passkey or a recovery code after your password.'
              : 'From then on your password alone is enough to sign in as you. Your recovery codes stop working.'}
          </ConfirmButton>
        )}
      </Group>
    </Stack>
  );
}

const codesLeft = (left: number): string =>
  `${left === 0 ? 'No recovery codes are' : count(left, 'recovery code')} left.`;

function NewCodes({ own, rescuer }: Pick<SecondFactorProps, 'own' | 'rescuer'>) {
  const readAgain = useReadAgain();
  const renew = useChange(own.newRecoveryCodes);
  return (
    <>
      <ConfirmButton
        size="xs"
        label="New recovery codes"
        title="Create new recovery codes?"
        change={{ ...renew, mutateAsync: () => renew.mutateAsync() }}
      >
        You get ten new codes. The ones you have stop working.
      </ConfirmButton>
      <RecoveryCodes
        codes={renew.data?.recovery_codes}
        rescuer={rescuer}
        onClose={() => {
          renew.reset();
          void readAgain();
        }}
      />
    </>
  );
}
