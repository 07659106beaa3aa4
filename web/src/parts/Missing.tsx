import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { Page } from './Page.tsx';

/** `name`: what the page at `home` is called. */
export function Missing({ home = '/', name = 'the overview' }: { home?: string; name?: string }) {
  return (
    <Page title="Page not found" about="This page does not exist, or what it showed has been deleted.">
      <div>
        <Anchor component={Link} to={home} size="sm">
          Go to {name}
        </Anchor>
      </div>
    </Page>
  );
}
