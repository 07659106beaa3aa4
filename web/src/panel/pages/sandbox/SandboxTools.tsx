import { SimpleGrid } from '@mantine/core';
import { Page } from '../../../parts/Page.tsx';
import { Allowed } from '../../Allowed.tsx';
import { PlayBalance } from './PlayBalance.tsx';
import { Reset } from './Reset.tsx';
import { TestClock } from './TestClock.tsx';

export function SandboxTools() {
  return (
    <Page title="Sandbox tools" about="Set up the sandbox for your tests. Nothing here affects live orders or money.">
      <Allowed to="develop" cannot="change the sandbox">
        <TestClock />
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <PlayBalance />
          <Reset />
        </SimpleGrid>
      </Allowed>
    </Page>
  );
}
