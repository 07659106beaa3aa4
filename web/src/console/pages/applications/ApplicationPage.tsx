import { Anchor, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Refusal } from '../../../parts/server/client.ts';
import { When } from '../../../parts/When.tsx';
import { type Application, type ApplicationView, application } from '../../api/applications.ts';
import { paths } from '../../paths.ts';
import { ApplicationStatus, kindName } from './ApplicationStatus.tsx';
import { Decide } from './Decide.tsx';

export function ApplicationPage() {
  const { id = '' } = useParams();
  const found = useQuery({ ...application(id), refetchInterval: 15_000 });
  const back = { to: paths.applications, label: 'Applications' };
  if (found.error instanceof Refusal && found.error.code === 'application_not_found')
    return (
      <Page title="Application not found" back={back}>
        <Text size="sm">There is no application with this number.</Text>
      </Page>
    );
  return (
    <Page
      title={found.data?.application.company ?? 'Application'}
      back={back}
      about={found.data && aboutOf(found.data.application)}
    >
      <Loaded query={found} lines={8}>
        {({ application: one, sandbox }) => (
          <>
            <SimpleGrid cols={{ base: 1, md: sandbox === null ? 1 : 2 }}>
              <Section title="Application" actions={<ApplicationStatus of={one} />}>
                <ApplicationFacts of={one} />
              </Section>
              {sandbox !== null && (
                <Section title="Sandbox" about="What the applicant did there in the last 30 days.">
                  <SandboxFacts of={sandbox} />
                </Section>
              )}
            </SimpleGrid>
            <Decide key={one.id} application={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const aboutOf = ({ kind }: Application) =>
  kind === 'live' ? 'A partner has applied for live.' : 'Somebody has asked for an account with a sandbox.';

const ApplicationFacts = ({ of }: { of: Application }) => (
  <Facts
    facts={[
      ['Wants', kindName[of.kind]],
      [
        'Partner',
        of.partner_id !== null && (
          <Anchor key="partner" component={Link} to={paths.partner(of.partner_id)} size="sm">
            {of.partner_id}
          </Anchor>
        ),
      ],
      ['Name', of.name],
      ['Email', of.email],
      ['Address', of.address],
      ['Country', of.country],
      ['Tax number', of.tax_number],
      ['Expected volume', of.volume],
      ['Use', of.use],
      ['Asked', of.question],
      ['Answered', of.answer],
      ['Note to the applicant', of.note],
      ['Received', <When key="created" at={of.created_at} />],
      ['In this state since', <When key="since" at={of.since} />],
      ['Last decided by', of.decided_by],
      ['Last decided', of.decided_at && <When key="decided" at={of.decided_at} />],
    ]}
  />
);

const SandboxFacts = ({ of }: { of: NonNullable<ApplicationView['sandbox']> }) => (
  <Facts
    facts={[
      ['Orders', count(of.orders, 'order')],
      ['Worth, in test money', <Money key="charged" amount={of.charged} />],
      ['Given back', Number(of.returned) > 0 && <Money key="returned" amount={of.returned} />],
      ['Last API call', <When key="call" at={of.last_call_at} never="None in the last 7 days" />],
    ]}
  />
);
