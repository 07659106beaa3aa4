import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { type System as Seen, system } from '../../api/service.ts';
import { Database } from './Database.tsx';
import { Jobs } from './Jobs.tsx';
import { MailQueue } from './MailQueue.tsx';
import { Processes } from './Processes.tsx';
import { SettingsInForce } from './SettingsInForce.tsx';

const EVERY_MS = 10_000;

export function System() {
  const found = useQuery({ ...system, refetchInterval: EVERY_MS });
  return (
    <Page title="System" about="What is running, with which settings, and whether its jobs succeed.">
      <Loaded query={found} lines={10}>
        {(seen) => (
          <Stack gap="lg">
            <Version of={seen} />
            <Processes of={seen.processes} />
            <Jobs of={seen.jobs} />
            <Database />
            <MailQueue />
            <SettingsInForce of={seen.settings} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Version({ of: { version, schema } }: { of: Seen }) {
  const [latest] = schema.latest;
  return (
    <Section title="Version">
      <Facts
        facts={[
          ['Program', version],
          ['Schema', schemaText(schema)],
          [
            'Latest migration',
            latest && (
              <>
                <span className="mono">{latest.id}</span>, <When at={latest.at} />
              </>
            ),
          ],
        ]}
      />
    </Section>
  );
}

function schemaText({ applied, pending, unknown }: Seen['schema']): string {
  const done = `${count(applied, 'migration')} applied`;
  if (pending.length > 0) return `${done}; ${pending.length} missing: ${pending.join(', ')}`;
  if (unknown.length > 0) return `${done}, ${unknown.length} of them by a newer version of the program`;
  return `${done}; up to date`;
}
