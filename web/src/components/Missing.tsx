import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import { Empty } from './Empty.tsx';

export function Missing() {
  return (
    <Empty icon="alert" title="There is no page at this address">
      <Anchor component={Link} to={paths.home}>
        To the overview
      </Anchor>
    </Empty>
  );
}
