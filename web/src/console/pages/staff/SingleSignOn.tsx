import { Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useAction } from '../../api/actions.ts';
import { operators, type SingleSignOn as Shown, singleSignOn } from '../../api/staff.ts';
import { useMay } from '../../useMay.ts';

const TOUCHES = ['single-sign-on'];

/** Where operators and partners’ members sign in with the accounts of their company; nothing where nobody does. */
export function SingleSignOn() {
  const data = useQuery(singleSignOn).data;
  if (!data) return null;
  return (
    <>
      {data.operators.issuer !== null && <OfOperators of={data.operators} />}
      {data.partners.length > 0 && <OfPartners of={data.partners} />}
    </>
  );
}

function OfOperators({ of: { issuer, required, break_glass: left } }: { of: Shown['operators'] }) {
  const manages = useMay()('manage');
  return (
    <Section
      title="Single sign-on of operators"
      about={`At ${issuer}. ${
        required
          ? `Required: only ${left.join(', ') || 'nobody'} can still sign in with a password, and all admins are mailed about it.`
          : 'Passwords and passkeys work beside it.'
      }`}
    >
      {manages ? (
        required ? (
          <Release label="No longer require it" input={{}} />
        ) : (
          <Require />
        )
      ) : (
        <Text size="sm">{required ? 'Required' : 'Optional'}</Text>
      )}
    </Section>
  );
}

function Require() {
  const all = useQuery(operators).data?.operators ?? [];
  const able = all.filter(({ role, second_factor }) => role === 'admin' && second_factor);
  const [chosen, setChosen] = useState<string>();
  const operator = chosen ?? String(able[0]?.id ?? '');
  const require = useAction('sso require', TOUCHES);
  if (able.length === 0)
    return (
      <Text size="sm">To require it, an admin has to keep a password with a second factor, for the day it fails.</Text>
    );
  return (
    <Stack align="flex-start">
      <NativeSelect
        label="Who keeps a password"
        data={able.map(({ id, email }) => ({ value: String(id), label: email }))}
        value={operator}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <ConfirmButton
        label="Require single sign-on"
        title="Require single sign-on of operators?"
        change={{ ...require, mutateAsync: () => require.mutateAsync({ operator }) }}
      >
        All other passwords and passkeys stop working here, and who came with one is signed out. On the server,{' '}
        <span className="mono">sso release</span> ends it.
      </ConfirmButton>
    </Stack>
  );
}

function Release({ label, input }: { label: string; input: { partner?: string } }) {
  const release = useAction('sso release', TOUCHES);
  return (
    <>
      <Button size="xs" variant="default" loading={release.isPending} onClick={() => release.mutate(input)}>
        {label}
      </Button>
      <Problem error={release.error} />
    </>
  );
}

function OfPartners({ of: partners }: { of: Shown['partners'] }) {
  const manages = useMay()('manage');
  return (
    <Section
      title="Single sign-on of partners"
      about="Confirm a domain once you have verified whose it is: whoever the partner’s issuer says has an address in it may join them."
    >
      <Stack>
        {partners.map(({ partner_id, name, issuer, required, domains }) => (
          <Stack key={partner_id} gap={4}>
            <Group gap="xs">
              <Text size="sm" fw={600}>
                {name}
              </Text>
              {required && <Badge color="gray">Required</Badge>}
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {issuer}
              </Text>
            </Group>
            {domains.map(({ domain, confirmed }) => (
              <Group key={domain} gap="xs">
                <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                  {domain}
                </Text>
                {confirmed ? (
                  <Badge color="teal">Confirmed</Badge>
                ) : manages ? (
                  <Confirm partner={String(partner_id)} domain={domain} name={name} />
                ) : (
                  <Badge color="yellow">Waits for an admin</Badge>
                )}
              </Group>
            ))}
            {required && manages && (
              <Group>
                <Release label="No longer require it" input={{ partner: String(partner_id) }} />
              </Group>
            )}
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

function Confirm({ partner, domain, name }: { partner: string; domain: string; name: string }) {
  const confirm = useAction('sso confirm', TOUCHES);
  return (
    <ConfirmButton
      size="compact-xs"
      tone="give"
      label="Confirm"
      title={`Is ${domain} the domain of ${name}?`}
      change={{ ...confirm, mutateAsync: () => confirm.mutateAsync({ partner, domain }) }}
    >
      Whoever {name}’s issuer says has a verified address in {domain} can then sign in to their account. The domain can
      no longer be confirmed for anybody else.
    </ConfirmButton>
  );
}
