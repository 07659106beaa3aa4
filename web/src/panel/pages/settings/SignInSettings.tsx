import { Badge, Button, Group, NativeSelect, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Copyable } from '../../../parts/Copy.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { removeSso, requireSso, type Sso, setSso, sso } from '../../api/sso.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';

const TOUCHES = ['sso'];

/** How the members of the account sign in: for its owners. */
export function SignInSettings() {
  const manages = useMay()('manage');
  const state = useQuery({ ...sso, enabled: manages });
  if (!manages)
    return (
      <Page title="Sign-in" back={{ to: paths.settings, label: 'Settings' }}>
        <Text c="dimmed">Only owners of the account see how its members sign in.</Text>
      </Page>
    );
  return (
    <Page
      title="Sign-in"
      about="Members can sign in with the accounts of your company (OpenID Connect)."
      back={{ to: paths.settings, label: 'Settings' }}
    >
      <Loaded query={state} lines={6}>
        {(data) => (
          <>
            <Issuer key={data.issuer} of={data} />
            {data.issuer !== null && <Domains of={data} />}
            {data.issuer !== null && <Requirement of={data} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Issuer({ of }: { of: Sso }) {
  const save = useChange(setSso, TOUCHES);
  const remove = useChange(removeSso, TOUCHES);
  return (
    <Section
      title="Your provider"
      about="Register a web client there: authorization code with PKCE, and this redirect address."
      actions={
        of.issuer !== null && (
          <ConfirmButton
            size="xs"
            label="Remove"
            title="Remove single sign-on?"
            change={{ ...remove, mutateAsync: () => remove.mutateAsync() }}
          >
            Members who signed in with it are signed out. Those without a password need a new invitation.
          </ConfirmButton>
        )
      }
    >
      <Form
        onSubmit={(typed) => {
          const text = (name: string) => String(typed.get(name)).trim();
          const secret = text('client_secret');
          save.mutate({
            issuer: text('issuer'),
            client_id: text('client_id'),
            ...(secret !== '' && { client_secret: secret }),
            domains: text('domains')
              .split(/[\s,]+/)
              .filter(Boolean),
          });
        }}
      >
        <Stack maw={480}>
          <div style={{ overflowWrap: 'anywhere' }}>
            <Copyable value={of.redirect_uri} what="the redirect address" />
          </div>
          <TextInput
            name="issuer"
            label="Issuer"
            description="Its address, without /.well-known"
            placeholder="https://login.example.com"
            defaultValue={of.issuer ?? ''}
            autoComplete="off"
            required
          />
          <TextInput name="client_id" label="Client ID" defaultValue={of.client_id ?? ''} autoComplete="off" required />
          <PasswordInput
            name="client_secret"
            label="Client secret"
            {...(of.issuer !== null && { description: 'Leave it empty to keep the one we have.' })}
            autoComplete="off"
            required={of.issuer === null}
          />
          <Textarea
            name="domains"
            label="Mail domains"
            description="Of your company, one in a line. Each counts once the operator has confirmed it."
            placeholder="example.com"
            defaultValue={of.domains.map(({ domain }) => domain).join('\n')}
            autosize
            minRows={2}
          />
          <Problem error={save.error ?? remove.error} />
          {save.isSuccess && <Done>Saved.</Done>}
          <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
            Save
          </Button>
        </Stack>
      </Form>
    </Section>
  );
}

function Domains({ of: { domains } }: { of: Sso }) {
  return (
    <Section
      title="Domains"
      about="Whoever your provider says has a verified address in one of these can sign in: with the role they were invited with, or as read-only."
    >
      <Stack gap="xs">
        {domains.length === 0 && <Text size="sm">There are none yet, so nobody can sign in with it.</Text>}
        {domains.map(({ domain, confirmed }) => (
          <Group key={domain} gap="xs">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {domain}
            </Text>
            <Badge color={confirmed ? 'teal' : 'yellow'}>{confirmed ? 'Confirmed' : 'Waits for the operator'}</Badge>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}

function Requirement({ of }: { of: Sso }) {
  const [chosen, setChosen] = useState<string>();
  const change = useChange(requireSso, TOUCHES);
  const first = of.can_be_break_glass[0];
  const memberId = Number(chosen ?? first?.id);
  const left = of.can_be_break_glass.find(({ id }) => id === of.break_glass);
  if (of.required)
    return (
      <Section
        title="Single sign-on is required"
        about={`Only your provider lets members in. ${left?.email ?? 'One owner'} keeps a password and a second factor for the day it fails; owners are mailed when they are used.`}
      >
        <Problem error={change.error} />
        <Button variant="default" loading={change.isPending} onClick={() => change.mutate(null)}>
          No longer require it
        </Button>
      </Section>
    );
  return (
    <Section
      title="Single sign-on is optional"
      about="Members can also sign in with a password or a passkey. If you require single sign-on, those stop working, also in links, and everybody who came with them is signed out."
    >
      <Stack align="flex-start">
        {first === undefined ? (
          <Text size="sm">
            To require it, an owner has to keep a password with a second factor, for the day your provider fails. None
            has both yet.
          </Text>
        ) : (
          <>
            <NativeSelect
              label="Who keeps a password"
              data={of.can_be_break_glass.map(({ id, email }) => ({ value: String(id), label: email }))}
              value={String(memberId)}
              onChange={(event) => setChosen(event.currentTarget.value)}
            />
            <ConfirmButton
              label="Require single sign-on"
              title="Require single sign-on?"
              change={{ ...change, mutateAsync: () => change.mutateAsync(memberId) }}
            >
              Everybody else has to come through your provider from now on. If you signed in with a password and are not
              the one who keeps it, you are signed out.
            </ConfirmButton>
          </>
        )}
        <Problem error={change.error} />
      </Stack>
    </Section>
  );
}
