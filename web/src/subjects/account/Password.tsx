import { Button, PasswordInput, Stack } from '@mantine/core';
import { Done } from '../../parts/Done.tsx';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { Section } from '../../parts/Section.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import { NewPassword } from '../sign-in/NewPassword.tsx';
import type { OwnAccount } from './account.ts';

export function Password({ own }: { own: OwnAccount }) {
  const change = useChange(own.changePassword);
  return (
    <Section title="Password" about="Changing your password signs you out on all other devices.">
      <Form
        onSubmit={(typed, form) => {
          change.mutate(
            { current: String(typed.get('current')), password: String(typed.get('password')) },
            { onSuccess: () => form.reset() },
          );
        }}
      >
        <Stack maw={360}>
          <PasswordInput name="current" label="Current password" autoComplete="current-password" required />
          <NewPassword />
          <Problem error={change.error} />
          {change.isSuccess && <Done>Your password has been changed.</Done>}
          <Button type="submit" loading={change.isPending} style={{ alignSelf: 'flex-start' }}>
            Change password
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}
