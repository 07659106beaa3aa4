import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { Page } from './Page.tsx';

export function Missing() {
  return (
    <Page title="Nothing here" about="There is no page at this address, or what it showed is gone.">
      <Text size="sm">
        <Anchor component={Link} to={paths.home}>
          To the overview
        </Anchor>
      </Text>
    </Page>
  );
}
