import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Copyable } from '../../../parts/Copy.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { me } from '../../api/session.ts';

export function Addresses({ mode }: { mode: Mode }) {
  const who = useQuery(me);
  return (
    <Section title="API endpoints" about={`Send requests with ${mode} keys to these URLs.`}>
      <Loaded query={who}>
        {({ addresses }) => (
          <Facts
            facts={[
              ['Base URL', <Copyable key="base" value={addresses[mode]} what="the base URL" />],
              ['Legacy URL', <Copyable key="legacy" value={addresses.legacy} what="the legacy URL" />],
              [
                'OpenAPI',
                <Anchor
                  key="openapi"
                  href={`${addresses[mode]}/openapi.json`}
                  target="_blank"
                  rel="noreferrer"
                  size="sm"
                >
                  openapi.json
                </Anchor>,
              ],
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
