import { Anchor, Button, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { Form } from '../../../parts/Form.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { isInvalidLink } from '../../../parts/server/client.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { Door } from '../../../subjects/sign-in/Door.tsx';
import { NewPassword } from '../../../subjects/sign-in/NewPassword.tsx';
import { useLinkToken } from '../../../subjects/sign-in/useLinkToken.ts';
import { acceptSignUp, answerSignUp, confirmSignUp, signUpLink } from '../../api/sign-up.ts';
import { paths } from '../../paths.ts';
import { Opened } from './Opened.tsx';

/** Opened by a link we mailed: sets the password and opens the account, confirms the address, or answers a question. */
export function SignUpLink() {
  const token = useLinkToken(paths.signUpLink);
  const found = useQuery({ ...signUpLink(token), enabled: token !== '' });
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) return <Opened secret={secret} />;
  if (token === '' || isInvalidLink(found.error))
    return (
      <Door
        title="This link is no longer valid"
        about="Each link works once and for a limited time. If you have already set your password, sign in."
      >
        <Anchor component={Link} to={paths.signIn()} size="sm">
          Go to sign-in
        </Anchor>
        <Anchor component={Link} to={paths.signUp} size="sm">
          Sign up again
        </Anchor>
      </Door>
    );
  const step = found.data?.step;
  const company = found.data?.company ?? '';
  return (
    <Door
      title={step === 'answer' ? 'A question for you' : 'Welcome'}
      about={
        step === 'password'
          ? `Choose a password. The sandbox account of ${company} is opened at once.`
          : step === 'confirm'
            ? `Confirm that you want an account for ${company}.`
            : undefined
      }
    >
      <Loaded query={found} lines={4}>
        {({ email, question }) =>
          step === 'password' ? (
            <Password token={token} email={email} onOpened={setSecret} />
          ) : step === 'answer' ? (
            <Answer token={token} question={question} />
          ) : (
            <Confirm token={token} email={email} />
          )
        }
      </Loaded>
    </Door>
  );
}

interface PasswordProps {
  token: string;
  email: string;
  onOpened: (secret: string) => void;
}

function Password({ token, email, onOpened }: PasswordProps) {
  const accept = useChange(
    (password: string) => acceptSignUp({ token, password }),
    undefined,
    ({ secret }) => onOpened(secret),
  );
  return (
    <Form
      onSubmit={(typed) => {
        accept.mutate(String(typed.get('password')));
      }}
    >
      <Stack>
        <TextInput label="Email" value={email} autoComplete="username" readOnly />
        <NewPassword />
        <Problem error={accept.error} />
        <Button type="submit" loading={accept.isPending}>
          Set password and open the account
        </Button>
      </Stack>
    </Form>
  );
}

function Confirm({ token, email }: { token: string; email: string }) {
  const confirm = useChange(() => confirmSignUp(token));
  if (confirm.isSuccess)
    return <Later>Thank you. We will review your request and email our decision to {email}.</Later>;
  return (
    <Form onSubmit={() => confirm.mutate(undefined)}>
      <Stack>
        <TextInput label="Email" value={email} readOnly />
        <Problem error={confirm.error} />
        <Button type="submit" loading={confirm.isPending}>
          Confirm
        </Button>
      </Stack>
    </Form>
  );
}

function Answer({ token, question }: { token: string; question: string }) {
  const answer = useChange((given: string) => answerSignUp({ token, answer: given }));
  if (answer.isSuccess) return <Later>Thank you for your answer. We will email you our decision.</Later>;
  return (
    <Form
      onSubmit={(typed) => {
        answer.mutate(String(typed.get('answer')));
      }}
    >
      <Stack>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {question}
        </Text>
        <Textarea name="answer" label="Your answer" maxLength={1_000} autosize minRows={3} required />
        <Problem error={answer.error} />
        <Button type="submit" loading={answer.isPending}>
          Send the answer
        </Button>
      </Stack>
    </Form>
  );
}

const Later = ({ children }: { children: ReactNode }) => (
  <Text size="sm" role="status">
    {children}
  </Text>
);
