import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { Page } from './Page.tsx';

export function Missing() {
  return (
    <Page title="Page not found" about="This page does not exist, or what it showed has been deleted.">
      <Text size="sm">
        <Anchor component={Link} to={paths.home}>
          Go to the overview
        </Anchor>
      </Text>
    </Page>
  );
}
