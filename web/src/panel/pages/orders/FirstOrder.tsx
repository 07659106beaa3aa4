import { Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconFileText } from '../../../parts/icons.ts';
import type { Mode } from '../../../parts/mode.ts';
import { examplePlan } from '../../api/orders.ts';
import { me } from '../../api/session.ts';
import { BuyButton } from '../buy/BuyButton.tsx';
import { buyPlan, listPlans } from '../curl.ts';

/** Shows how to place a first order, with a plan that is on sale right now. */
export function FirstOrder({ mode }: { mode: Mode }) {
  const base = useQuery(me).data?.addresses[mode];
  const plan = useQuery(examplePlan(mode)).data?.products[0];
  if (base === undefined) return null;
  return (
    <Empty icon={IconFileText} title="No orders yet">
      {plan && (
        <Group justify="center" mb="sm">
          <BuyButton mode={mode} productId={plan.id} title={plan.title} label="Buy one here" />
        </Group>
      )}
      <Text size="sm" mb="sm">
        {plan
          ? `Put a ${mode} key in $WAYFARE_KEY and buy “${plan.title}”. ${mode === 'live' ? 'This costs real money.' : 'This uses test money only.'}`
          : 'Put a key in $WAYFARE_KEY and list the plans on sale, then buy one by its id.'}
      </Text>
      <Box ta="left">
        <CodeBlock text={plan ? buyPlan(base, plan.id) : listPlans(base)} what="the command" />
      </Box>
    </Empty>
  );
}
