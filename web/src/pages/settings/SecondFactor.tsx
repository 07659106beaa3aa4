import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { newRecoveryCodes, secondFactor, startSecondFactor, turnOffSecondFactor } from '../../api/account.ts';
import { me } from '../../api/session.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { count } from '../../components/count.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { Problem } from '../../components/Problem.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SetUpSecondFactor } from './SetUpSecondFactor.tsx';

/** Whether signing in also takes a code of an authenticator app. */
export function SecondFactor() {
  const state = useQuery(secondFactor);
  return (
    <Section
      title="Two-step sign-in"
      about="With a code of an authenticator app, your password alone is not enough to sign in as you. It counts for every account you belong to."
    >
      <Loaded query={state} lines={2}>
        {({ on_since, recovery_codes_left }) =>
          on_since === null ? <Off /> : <On since={on_since} left={recovery_codes_left} />
        }
      </Loaded>
    </Section>
  );
}

/** Reads again what has changed, when everything of the change has been shown. */
function useReadAgain() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: secondFactor.queryKey }),
      client.invalidateQueries({ queryKey: me.queryKey }),
      client.invalidateQueries({ queryKey: ['sessions'] }),
    ]);
}

function Off() {
  const readAgain = useReadAgain();
  const start = useMutation({ mutationFn: startSecondFactor });
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
          onClose={() => {
            start.reset();
            void readAgain();
          }}
        />
      )}
    </Stack>
  );
}

function On({ since, left }: { since: string; left: number }) {
  const readAgain = useReadAgain();
  const renew = useMutation({ mutationFn: newRecoveryCodes });
  const off = useMutation({ mutationFn: turnOffSecondFactor, onSuccess: readAgain });
  return (
    <Stack align="flex-start">
      <Group gap="xs">
        <Badge color="teal">On</Badge>
        <Text size="sm">
          Since <When at={since} /> UTC. {left === 0 ? 'No recovery codes are' : `${count(left, 'recovery code')}`}{' '}
          left.
        </Text>
      </Group>
      <Group gap="xs">
        <ConfirmButton
          size="xs"
          label="New recovery codes"
          title="Make new recovery codes?"
          change={{ ...renew, mutateAsync: () => renew.mutateAsync() }}
        >
          You get ten new codes. The ones you have stop working.
        </ConfirmButton>
        <ConfirmButton
          size="xs"
          label="Turn off"
          title="Turn off two-step sign-in?"
          change={{ ...off, mutateAsync: () => off.mutateAsync() }}
        >
          From then on your password alone is enough to sign in as you. Your recovery codes stop working.
        </ConfirmButton>
      </Group>
      <RecoveryCodes
        codes={renew.data?.recovery_codes}
        onClose={() => {
          renew.reset();
          void readAgain();
        }}
      />
    </Stack>
  );
}
