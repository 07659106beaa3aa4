import { Badge, Group, Stack, Text } from '@mantine/core';
import type { RouteView } from '../../api/routes.ts';
import { Cost } from '../catalog/Cost.tsx';

/** The suppliers that are tried, in order. */
export function AlternateList({ of: { alternates } }: { of: RouteView }) {
  if (alternates.length === 0) return <Text size="sm">No plan of another supplier fits.</Text>;
  return (
    <Stack gap={4}>
      {alternates.map(({ product_id, supplier, title, cost, on_sale, lacks }, i) => (
        <Group key={product_id} gap={6}>
          <Text size="sm" span>
            {i + 1}. {title} ({supplier}), {cost === null ? 'cost unknown' : <Cost amount={cost} />}
          </Text>
          {!on_sale && <Badge color="gray">Off sale, skipped</Badge>}
          {lacks.length > 0 && <Badge color="yellow">Less: {lacks.join(', ')}</Badge>}
        </Group>
      ))}
    </Stack>
  );
}

/** What an alternate may cost. */
export function Limit({ of: { max_cost, min_margin } }: { of: RouteView }) {
  if (max_cost !== null)
    return (
      <>
        At most <Cost amount={max_cost} />
      </>
    );
  return min_margin === null ? 'The price paid' : `A margin of ${Number(min_margin)}% is left`;
}

export const firstSupplier = ({ prefer }: RouteView): string =>
  prefer === 'cheapest' ? 'The cheapest of all' : 'Its own supplier';
