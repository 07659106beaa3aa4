import { Anchor, Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { planRoute } from '../../api/routes.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { ClearRoute } from '../routes/ClearRoute.tsx';
import { EditRoute } from '../routes/EditRoute.tsx';
import { AlternateList, firstSupplier, Limit } from '../routes/RouteFacts.tsx';

/** Who else may deliver the plan. */
export function PlanRoute({ productId, title }: { productId: string; title: string }) {
  const found = useQuery(planRoute(productId));
  const mayChange = useMay()('manage');
  const route = found.data?.route;
  const isSet = route?.source === 'set';
  if (found.data?.is_refill) return null;
  return (
    <Section
      title="Route"
      about={
        <>
          Who delivers it when its own supplier does not. All routes are under{' '}
          <Anchor component={Link} to={paths.routes} inherit>
            Routes
          </Anchor>
          .
        </>
      }
      actions={
        mayChange &&
        found.data && (
          <Group gap="xs">
            <EditRoute productId={productId} title={title} isNew={!isSet} />
            {isSet && <ClearRoute productId={productId} title={title} />}
          </Group>
        )
      }
    >
      <Loaded query={found} lines={3}>
        {({ suggestions }) =>
          route ? (
            <Facts
              facts={[
                ['Alternates', <AlternateList key="alternates" of={route} />],
                ['Asked first', firstSupplier(route)],
                ['An alternate may cost', <Limit key="limit" of={route} />],
                ['Set by', isSet ? 'An operator' : <Badge key="auto">Automatic routes</Badge>],
              ]}
            />
          ) : (
            <Text size="sm">
              Only its own supplier delivers it.{' '}
              {suggestions.length === 0
                ? 'No other supplier sells a plan that is at least as good.'
                : `${suggestions.length} ${suggestions.length === 1 ? 'plan of another supplier is' : 'plans of other suppliers are'} at least as good.`}
            </Text>
          )
        }
      </Loaded>
    </Section>
  );
}
