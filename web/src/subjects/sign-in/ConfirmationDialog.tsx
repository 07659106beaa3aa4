import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { PasskeyButton } from '../passkeys/PasskeyButton.tsx';
import type { PasskeyAnswer, PasskeyRequest } from '../passkeys/passkeys.ts';
import { CodeField, givenFactor, useAsksForCode } from './CodeField.tsx';
import { SsoButton } from './SsoButton.tsx';

/** How the signed-in person confirms their identity. */
export interface Proof {
  readonly confirm: (given: { password?: string; code?: string; passkey?: PasskeyAnswer }) => Change<unknown>;
  readonly requestPasskey: () => Promise<PasskeyRequest>;
  /** For those who came by single sign-on: begins it again, to come back to this page. */
  readonly useSso?: () => (() => Change<{ readonly url: string }>) | undefined;
  /** Whether they have a second factor. */
  readonly useSecondFactor: () => boolean;
}

/** Asks for the password and, if it is on, the second factor, or for a passkey, before an action that a stranger at this screen must not take. */
export function ConfirmationDialog({
  confirm,
  requestPasskey,
  useSecondFactor,
  useSso = () => undefined,
  onAnswer,
}: Proof & { onAnswer: (isConfirmed: boolean) => void }) {
  const hasSecondFactor = useSecondFactor();
  const again = useSso();
  const change = useChange(confirm, undefined, () => onAnswer(true));
  const asksForCode = useAsksForCode(change.error) || hasSecondFactor;
  if (again)
    return (
      <Modal opened onClose={() => onAnswer(false)} title="Confirm that it’s you" zIndex={400}>
        <Stack>
          <Text size="sm">
            It has been a while since you signed in. Sign in again, and you come back to this page. Then repeat the
            change.
          </Text>
          <SsoButton label="Sign in again" start={again} after={window.location.pathname + window.location.search} />
        </Stack>
      </Modal>
    );
  return (
    <Modal opened onClose={() => onAnswer(false)} title="Confirm that it’s you" zIndex={400}>
      <Form
        onSubmit={(typed) => {
          change.mutate({ password: String(typed.get('password')), ...givenFactor(typed, undefined) });
        }}
      >
        <Stack>
          <Text size="sm">It has been a while since you signed in. We ask again before this change.</Text>
          <PasswordInput name="password" label="Password" autoComplete="current-password" required data-autofocus />
          {asksForCode && <CodeField />}
          <Problem error={change.error} />
          {hasSecondFactor && (
            <PasskeyButton
              label="Use a passkey"
              request={requestPasskey}
              isAlone
              onAnswer={(passkey) => change.mutate({ passkey })}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onAnswer(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Confirm
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
