import { Box, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { examplePlan } from '../../api/orders.ts';
import { me } from '../../api/session.ts';
import { CodeBlock } from '../../components/Copy.tsx';
import { Empty } from '../../components/Empty.tsx';
import type { Mode } from '../../paths.ts';
import { buyPlan, listPlans } from '../curl.ts';

/** No orders yet: how to make one, with a plan that is really on sale. */
export function FirstOrder({ mode }: { mode: Mode }) {
  const base = useQuery(me).data?.addresses[mode];
  const plan = useQuery(examplePlan(mode)).data?.products[0];
  if (base === undefined) return null;
  return (
    <Empty icon={IconFileText} title="No orders yet">
      <Text size="sm" mb="sm">
        {plan
          ? `Buy one with a key in $KEY: ${plan.title}${mode === 'live' ? ', for real money' : ', for play money'}.`
          : 'List what is on sale with a key in $KEY, then buy one by its id.'}
      </Text>
      <Box ta="left">
        <CodeBlock text={plan ? buyPlan(base, plan.id) : listPlans(base)} what="the command" />
      </Box>
    </Empty>
  );
}
