import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { bigIdIn } from '../../../../../src/platform/contract/ids.ts';
import { Empty } from '../../../parts/Empty.tsx';
import { IconFileText } from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import type { Filters } from '../../../parts/useFilters.ts';
import { paths } from '../../paths.ts';
import { FirstOrder } from './FirstOrder.tsx';
import { filterNames } from './OrderFilters.tsx';

/** Why the list is empty, and where else the searched text was found. */
export function NoOrders({ mode, filters: { of, filter, clear } }: { mode: Mode; filters: Filters }) {
  const [reference, iccid] = [of('reference'), of('iccid')];
  if (of('before')) return <Empty icon={IconFileText} title="No older orders" />;
  if (!filterNames.some(of)) return <FirstOrder mode={mode} />;
  return (
    <Empty icon={IconFileText} title="No orders match">
      {reference && <Text size="sm">We look for the whole reference, exactly as it was sent.</Text>}
      {of('key') && <Text size="sm">Which key bought an order is recorded for newer orders only.</Text>}
      <Group justify="center" gap="md" mt="sm">
        {reference && bigIdIn(reference) !== undefined && (
          <Anchor component={Link} to={paths.order(mode, reference)} size="sm">
            Open order {reference}
          </Anchor>
        )}
        {iccid && (
          <Button size="xs" variant="default" onClick={() => filter({ reference: iccid, iccid: '' })}>
            Search for it as a reference
          </Button>
        )}
        <Button size="xs" variant="default" onClick={clear}>
          Show all
        </Button>
      </Group>
    </Empty>
  );
}
