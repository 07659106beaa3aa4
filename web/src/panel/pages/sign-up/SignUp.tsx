import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../../../parts/Form.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { andThen, refusedAs } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { Door } from '../../../subjects/sign-in/Door.tsx';
import { signInOptions } from '../../api/session.ts';
import { signUp } from '../../api/sign-up.ts';
import { paths } from '../../paths.ts';
import { AfterMail } from '../AfterMail.tsx';

const toSignIn = (
  <Anchor component={Link} to={paths.signIn()} size="sm">
    Go to sign-in
  </Anchor>
);

const about = {
  open: 'Open a sandbox account with an API key. It takes a minute, and costs nothing.',
  review: 'Ask for a sandbox account. We look at every request and answer by email.',
} as const;

/** Says the same for every address, so that it does not reveal who has an account here. */
export function SignUp() {
  const options = useQuery(signInOptions);
  const [sent, setSent] = useState<SentTo>();
  const ask = useChange(
    (asked: Typed) => andThen(signUp(asked), ({ link }) => ({ typed: asked, link })),
    undefined,
    (done) => setSent({ ...done, isChanging: false }),
  );
  const { typed } = sent ?? {};
  if (sent && !sent.isChanging)
    return (
      <Sent
        {...sent}
        again={ask}
        onAgain={() => ask.mutate(sent.typed)}
        onChange={() => {
          ask.reset();
          setSent({ ...sent, isChanging: true });
        }}
      />
    );
  const mode = options.data?.sign_up;
  const [name, company] = [refusedAs(ask.error, 'invalid_name'), refusedAs(ask.error, 'invalid_company')];
  if (options.data && mode === undefined)
    return (
      <Door title="Sign-up is closed" about="Accounts are opened by the operator of this service. Ask them for one.">
        {toSignIn}
      </Door>
    );
  return (
    <Door title="Sign up" about={mode && about[mode]}>
      <Loaded query={options} lines={4}>
        {() => (
          <Form
            onSubmit={(typed) => {
              const text = (name: string) => String(typed.get(name));
              ask.mutate({ name: text('name'), company: text('company'), email: text('email') });
            }}
          >
            <Stack>
              <TextInput
                name="name"
                label="Your name"
                autoComplete="name"
                maxLength={100}
                required
                autoFocus={typed === undefined}
                defaultValue={typed?.name}
                error={name}
              />
              <TextInput
                name="company"
                label="Company"
                autoComplete="organization"
                maxLength={100}
                required
                defaultValue={typed?.company}
                error={company}
              />
              <TextInput
                name="email"
                type="email"
                label="Email"
                autoComplete="email"
                maxLength={254}
                required
                autoFocus={typed !== undefined}
                defaultValue={typed?.email}
              />
              {name === undefined && company === undefined && <Problem error={ask.error} />}
              <Button type="submit" loading={ask.isPending}>
                Sign up
              </Button>
            </Stack>
          </Form>
        )}
      </Loaded>
      <Text size="xs" c="dimmed">
        Already have an account?{' '}
        <Anchor component={Link} to={paths.signIn()} size="xs">
          Sign in
        </Anchor>
      </Text>
    </Door>
  );
}

type Typed = Parameters<typeof signUp>[0];

interface SentTo {
  readonly typed: Typed;
  readonly link: string | null;
  /** The form is open again, for another address. */
  readonly isChanging: boolean;
}

interface SentProps extends SentTo, ComponentProps<typeof AfterMail> {}

function Sent({ typed: { email }, link, ...mail }: SentProps) {
  if (link === null)
    return (
      <Door
        title="Check your email"
        about={`We are sending a link to ${email}. It works once and expires after one day.`}
      >
        <AfterMail {...mail} />
        {toSignIn}
      </Door>
    );
  return (
    <Door
      title="Your link"
      about="No mail is set up on this machine, so here is the link that would be in it. It works once and expires after one day."
    >
      <Button component="a" href={link}>
        Open the link
      </Button>
    </Door>
  );
}
