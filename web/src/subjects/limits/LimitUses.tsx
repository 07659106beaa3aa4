import { Badge, Group, Progress, SimpleGrid, Text } from '@mantine/core';
import { When } from '../../parts/When.tsx';
import { type Limit, limitWords, usedOf } from './limits.ts';

/** Limits with what was used of each and when it resets, in words and as a bar. */
export const LimitUses = ({ of: limits, label }: { of: readonly Limit[]; label: string }) => (
  <SimpleGrid
    component="ul"
    cols={{ base: 1, sm: 2, lg: 3 }}
    spacing="lg"
    verticalSpacing="sm"
    aria-label={label}
    m={0}
    p={0}
    style={{ listStyle: 'none' }}
  >
    {limits.map((limit) => (
      <li key={limitWords(limit)}>
        <LimitUse of={limit} />
      </li>
    ))}
  </SimpleGrid>
);

function LimitUse({ of: limit }: { of: Limit }) {
  const words = limitWords(limit);
  if (limit.per === 'order')
    return (
      <>
        <Words>{words}</Words>
        <Text size="xs" c="dimmed">
          A more expensive order is refused.
        </Text>
      </>
    );
  const { used, left, isUsedUp, percent } = usedOf(limit);
  return (
    <>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Words>{words}</Words>
        {isUsedUp && <Badge color="red">Used up</Badge>}
      </Group>
      <Progress
        value={percent}
        color={isUsedUp ? 'red' : percent >= 80 ? 'yellow' : 'teal'}
        size="sm"
        my={4}
        aria-label={`${words}: ${Math.floor(percent)} percent used`}
      />
      <Text size="xs" c="dimmed" className="num">
        {used} used, {isUsedUp ? 'nothing' : left} left. Resets <When at={limit.resets_at} exact />.
      </Text>
    </>
  );
}

const Words = ({ children }: { children: string }) => (
  <Text size="sm" fw={500} className="num">
    {children}
  </Text>
);
