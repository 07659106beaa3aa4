import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import { leaveFor } from '../../subjects/sign-in/SsoReturn.tsx';
import { startSso } from '../api/session.ts';

/** The domain of the address says which company signs them in. */
export function SsoSignIn({ next }: { next: string }) {
  const [isOpen, setOpen] = useState(false);
  const begin = useChange(
    (email: string) => startSso({ email }),
    undefined,
    ({ url }) => leaveFor(url, next),
  );
  if (!isOpen)
    return (
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setOpen(true)}>
        Sign in with single sign-on
      </Anchor>
    );
  return (
    <Form onSubmit={(typed) => begin.mutateAsync(String(typed.get('work'))).catch(() => {})}>
      <Stack>
        <TextInput name="work" type="email" label="Work email" autoComplete="username" required autoFocus />
        <Problem error={begin.error} />
        <Button type="submit" variant="default" loading={begin.isPending}>
          Continue
        </Button>
      </Stack>
    </Form>
  );
}
