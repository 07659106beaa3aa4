import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from './Page.tsx';

export function Missing({ home = '/' }: { home?: string }) {
  return (
    <Page title="Page not found" about="This page does not exist, or what it showed has been deleted.">
      <div>
        <Anchor component={Link} to={home} size="sm">
          Go to the overview
        </Anchor>
      </div>
    </Page>
  );
}
