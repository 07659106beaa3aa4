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
  /** Which sign-ins it protects. */
  about: string;
  /** Who can help a person who lost both app and recovery codes. */
  rescuer: string;
  /** The role needs it, so it cannot be turned off. */
  isRequired?: boolean;
}

/** Whether signing in also takes a code of an authenticator app. */
export function SecondFactor(props: SecondFactorProps) {
  const state = useQuery(props.own.secondFactor);
  return (
    <Section
      title="Two-step sign-in"
      about={`With codes of an authenticator app, your password alone is not enough to sign in as you. ${props.about}`}
    >
      <Loaded query={state} lines={2}>
        {({ on_since, recovery_codes_left }) =>
          on_since === null ? <Off {...props} /> : <On {...props} since={on_since} left={recovery_codes_left} />
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

function Off({ own, rescuer }: SecondFactorProps) {
  const readAgain = useReadAgain();
  const start = useChange(own.startSecondFactor);
  return (
    <Stack align="flex-start">
      <Group gap="xs">
        <Badge color="gray">Off</Badge>
        <Text size="sm">Only your password protects your sign-in.</Text>
      </Group>
      <Problem error={start.error} />
      <Button loading={start.isPending} onClick={() => start.mutate()}>
        Set up
      </Button>
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
  const renew = useChange(own.newRecoveryCodes);
  const off = useChange(own.turnOffSecondFactor, undefined, readAgain);
  return (
    <Stack align="flex-start">
      <Group gap="xs">
        <Badge color="teal">On</Badge>
        <Text size="sm">
          Since <When at={since} exact />. {left === 0 ? 'No recovery codes are' : `${count(left, 'recovery code')}`}{' '}
          left.
        </Text>
      </Group>
      <Group gap="xs">
        <ConfirmButton
          size="xs"
          label="New recovery codes"
          title="Create new recovery codes?"
          change={{ ...renew, mutateAsync: () => renew.mutateAsync() }}
        >
          You get ten new codes. The ones you have stop working.
        </ConfirmButton>
        {!isRequired && (
          <ConfirmButton
            size="xs"
            label="Turn off"
            title="Turn off two-step sign-in?"
            change={{ ...off, mutateAsync: () => off.mutateAsync() }}
          >
            From then on your password alone is enough to sign in as you. Your recovery codes stop working.
          </ConfirmButton>
        )}
      </Group>
      <RecoveryCodes
        codes={renew.data?.recovery_codes}
        rescuer={rescuer}
        onClose={() => {
          renew.reset();
          void readAgain();
        }}
      />
    </Stack>
  );
}
