import { Anchor, Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Facts } from '../../../parts/Facts.tsx';
import { Form } from '../../../parts/Form.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { countries } from '../../../subjects/invoices/countries.ts';
import { Allowed } from '../../Allowed.tsx';
import { answerLive, applyForLive, type LiveApplication, type LiveForm, liveApplication } from '../../api/go-live.ts';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';

/** The application for live, and its outcome. */
export function GoLive() {
  const found = useQuery({ ...liveApplication, refetchInterval: 30_000 });
  return (
    <Page
      title="Go live"
      about="Live sells real eSIMs for real money. An operator opens it for your account; the sandbox stays as it is."
    >
      <Loaded query={found} lines={6}>
        {({ is_live, application }) =>
          is_live ? <Open /> : application === null ? <Apply /> : <State application={application} />
        }
      </Loaded>
    </Page>
  );
}

function Open() {
  return (
    <Section title="Live is open" about="Create a live key and top up, or start with your terms.">
      <Group>
        {/* A full page load: everything this page has cached about the account is out of date. */}
        <Button component="a" href={paths.overview('live')}>
          Open live
        </Button>
        <Anchor component={Link} to={paths.keys} size="sm">
          API keys
        </Anchor>
      </Group>
    </Section>
  );
}

function State({ application }: { application: LiveApplication }) {
  const { status } = application;
  if (status === 'asked') return <Question application={application} />;
  if (status === 'rejected')
    return (
      <>
        <Section title="Your application was rejected">
          <Said>{application.note}</Said>
        </Section>
        <Apply was={application} />
      </>
    );
  return (
    <Section title="We are looking at your application" about="You get a mail when it is decided.">
      <Sent of={application} />
    </Section>
  );
}

const Said = ({ children }: { children: ReactNode }) => (
  <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
    {children}
  </Text>
);

const Sent = ({ of }: { of: LiveApplication }) => (
  <Facts
    facts={[
      ['Sent', <When key="sent" at={of.created_at} />],
      ['Company', of.company],
      ['Address', of.address],
      ['Country', of.country],
      ['Tax number', of.tax_number],
      ['Expected volume', of.volume],
      ['Use', of.use],
      ['We asked', of.question],
      ['You answered', of.answer],
    ]}
  />
);

function Question({ application }: { application: LiveApplication }) {
  const answer = useChange(
    (given: string) => answerLive({ version: application.version, answer: given }),
    liveApplication.queryKey,
  );
  return (
    <Section title="We have a question about your application">
      <Allowed to="manage" cannot="answer">
        <Form
          onSubmit={(typed) => {
            answer.mutate(String(typed.get('answer')));
          }}
        >
          <Stack maw={560}>
            <Said>{application.question}</Said>
            <Textarea name="answer" label="Your answer" maxLength={1_000} autosize minRows={3} required />
            <Problem error={answer.error} />
            <Group>
              <Button type="submit" loading={answer.isPending}>
                Send the answer
              </Button>
            </Group>
          </Stack>
        </Form>
      </Allowed>
    </Section>
  );
}

/** What is asked for, with the server's limits, which decide. */
const fields = [
  { name: 'company', label: 'Company', description: 'The legal name', maxLength: 100, autoComplete: 'organization' },
  { name: 'address', label: 'Address', maxLength: 300, rows: 2, autoComplete: 'street-address' },
  { name: 'country', label: 'Country', autoComplete: 'country-name' },
  { name: 'tax_number', label: 'Tax number', description: 'VAT number, EIN or the like', maxLength: 60 },
  { name: 'volume', label: 'Expected volume', description: 'For example: 200 eSIMs a month', maxLength: 200 },
  { name: 'use', label: 'Use', description: 'Where and to whom you sell', maxLength: 1_000, rows: 3 },
] as const;

function Apply({ was }: { was?: LiveApplication }) {
  const apply = useChange(applyForLive, liveApplication.queryKey);
  const who = useQuery(me).data;
  const mayApply = useMay()('manage');
  return (
    <Section
      title={was ? 'Apply again' : 'Apply for live'}
      about={mayApply ? 'A person reads your application. All fields are required.' : undefined}
    >
      <Allowed to="manage" cannot="apply for live">
        <Form
          onSubmit={(typed) => {
            apply.mutate(Object.fromEntries(fields.map(({ name }) => [name, String(typed.get(name))])) as LiveForm);
          }}
        >
          <Stack maw={560}>
            {fields.map(({ name, ...field }) => {
              const value = was?.[name] ?? (name === 'company' ? who?.partner.name : '');
              if (name === 'country') return <Country key={name} name={name} was={value} {...field} />;
              return 'rows' in field ? (
                <Multiline key={name} name={name} defaultValue={value} {...field} />
              ) : (
                <TextInput key={name} name={name} defaultValue={value} required {...field} />
              );
            })}
            <Problem error={apply.error} />
            <Group>
              <Button type="submit" loading={apply.isPending}>
                Apply
              </Button>
            </Group>
          </Stack>
        </Form>
      </Allowed>
    </Section>
  );
}

const Multiline = ({
  rows,
  ...field
}: {
  rows: number;
  name: string;
  label: string;
  maxLength: number;
  defaultValue: string | undefined;
}) => <Textarea autosize minRows={rows} required {...field} />;

const Country = ({ was = '', ...field }: { was: string | undefined; name: string; label: string }) => (
  <NativeSelect
    required
    defaultValue={was}
    data={[
      { value: '', label: 'Choose a country' },
      // Written before there was a list.
      ...(was === '' || countries.some(({ label }) => label === was) ? [] : [was]),
      ...countries.map(({ label }) => label),
    ]}
    {...field}
  />
);
