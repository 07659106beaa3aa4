import { Alert, Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCircleCheck } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { type Incident, incidents } from '../../api/incidents.ts';
import { useMay } from '../../useMay.ts';
import { ResolveIncident, UpdateIncident, WriteIncident } from './changes.tsx';
import { impactColors, impactNames, partNames, statusNames } from './words.ts';

export function Incidents() {
  const found = useQuery(incidents);
  const writes = useMay()('support');
  return (
    <Page
      title="Incidents"
      about={
        <>
          Shown to everybody on the{' '}
          <Anchor href="/status" target="_blank" rel="noreferrer" size="sm" underline="always">
            status page
          </Anchor>
          , beside what we measure. Name no partners and no suppliers.
        </>
      }
      actions={writes && <WriteIncident />}
    >
      <Loaded query={found}>
        {({ incidents: all, is_public }) => (
          <>
            {!is_public && (
              <Alert color="yellow" title="The status page is off">
                With PUBLIC_SITE=off only operators can read incidents.
              </Alert>
            )}
            <Listed title="Open" of={all.filter(({ resolved_at }) => resolved_at === null)} mayWrite={writes} />
            <Listed
              title="Resolved in the last 90 days"
              of={all.filter(({ resolved_at }) => resolved_at !== null)}
              mayWrite={writes}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Listed({ title, of: some, mayWrite }: { title: string; of: readonly Incident[]; mayWrite: boolean }) {
  return (
    <Section title={title}>
      {some.length === 0 ? (
        <Empty icon={IconCircleCheck} title="None" />
      ) : (
        <Stack gap="xl">
          {some.map((one) => (
            <One key={one.incident_id} incident={one} mayWrite={mayWrite} />
          ))}
        </Stack>
      )}
    </Section>
  );
}

function One({ incident, mayWrite }: { incident: Incident; mayWrite: boolean }) {
  const { title, impact, parts, started_at, resolved_at, updates } = incident;
  return (
    <div>
      <Group justify="space-between" align="flex-start" gap="xs" mb="xs">
        <div>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            <Badge color={impactColors[impact]} variant="light">
              {impactNames[impact]}
            </Badge>
          </Group>
          <Text size="sm" c="dimmed">
            {parts.map((part) => partNames[part]).join(', ')}, from <When at={started_at} exact />
            {resolved_at !== null && (
              <>
                {' '}
                to <When at={resolved_at} exact />
              </>
            )}
          </Text>
        </div>
        {mayWrite && (
          <Group gap="xs">
            <UpdateIncident incident={incident} />
            {resolved_at === null && <ResolveIncident incident={incident} />}
          </Group>
        )}
      </Group>
      <Stack gap="sm">
        {updates.map(({ status, text, written_at }) => (
          <div key={written_at + text}>
            <Text size="sm" c="dimmed">
              {statusNames[status]}, <When at={written_at} />
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
              {text}
            </Text>
          </div>
        ))}
      </Stack>
    </div>
  );
}
