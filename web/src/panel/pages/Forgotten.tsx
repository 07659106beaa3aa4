import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import { andThen } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { Door } from '../../subjects/sign-in/Door.tsx';
import { askForLink } from '../api/session.ts';
import { paths } from '../paths.ts';
import { AfterMail } from './AfterMail.tsx';

/** Says the same for every address, so that it does not reveal who has an account here. */
export function Forgotten() {
  const [sentTo, setSentTo] = useState<string>();
  const [isChanging, setChanging] = useState(false);
  const ask = useChange(
    (email: string) => andThen(askForLink(email), () => email),
    undefined,
    (email) => {
      setSentTo(email);
      setChanging(false);
    },
  );
  const back = (
    <Anchor component={Link} to={paths.signIn()} size="sm">
      Go to sign-in
    </Anchor>
  );
  if (sentTo !== undefined && !isChanging)
    return (
      <Door
        title="Check your email"
        about={`If ${sentTo} can sign in here, we are sending a link to choose a new password. It works once and expires after one hour.`}
      >
        <AfterMail
          again={ask}
          onAgain={() => ask.mutate(sentTo)}
          onChange={() => {
            ask.reset();
            setChanging(true);
          }}
        />
        {back}
      </Door>
    );
  return (
    <Door title="Forgot your password?" about="We will email you a link to choose a new one.">
      <Form
        onSubmit={(typed) => {
          ask.mutate(String(typed.get('email')));
        }}
      >
        <Stack>
          <TextInput
            name="email"
            type="email"
            label="Email"
            autoComplete="username"
            defaultValue={sentTo}
            required
            autoFocus
          />
          <Problem error={ask.error} />
          <Button type="submit" loading={ask.isPending}>
            Send the link
          </Button>
        </Stack>
      </Form>
      {back}
    </Door>
  );
}
