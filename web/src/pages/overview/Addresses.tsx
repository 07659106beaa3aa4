import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { me } from '../../api/session.ts';
import { Copyable } from '../../components/Copy.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Section } from '../../components/Section.tsx';
import type { Mode } from '../../paths.ts';

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
