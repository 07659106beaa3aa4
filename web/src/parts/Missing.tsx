import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../panel/paths.ts';
import { Page } from './Page.tsx';

export function Missing({ home = paths.home }: { home?: string }) {
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
