import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { confirm, me } from '../api/session.ts';
import { CodeField, useAsksForCode } from './CodeField.tsx';
import { Problem } from './Problem.tsx';

/** Asks for the password and, if it is on, the second factor, before something that a stranger at this screen must not do. */
export function ConfirmationDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { data } = useQuery(me);
  const change = useMutation({ mutationFn: confirm, onSuccess: () => onAnswer(true) });
  const asksForCode = useAsksForCode(change.error) || data?.member.second_factor === true;
  return (
    <Modal opened onClose={() => onAnswer(false)} title="Confirm that it’s you" zIndex={400}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const typed = new FormData(event.currentTarget);
          const code = typed.get('code');
          change.mutate({ password: String(typed.get('password')), ...(code !== null && { code: String(code) }) });
        }}
      >
        <Stack>
          <Text size="sm">It has been a while since you entered your password. We ask again before this change.</Text>
          <PasswordInput name="password" label="Password" autoComplete="current-password" required data-autofocus />
          {asksForCode && <CodeField />}
          <Problem error={change.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => onAnswer(false)}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Confirm
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
