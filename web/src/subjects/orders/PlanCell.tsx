import { Badge, Group, Stack, Text } from '@mantine/core';

interface PlanCellProps {
  of: {
    readonly country_image: string | null;
    readonly title: string;
    readonly type: string;
    readonly reference: string;
  };
}

/** What was ordered, and the partner's reference. */
export const PlanCell = ({ of: { country_image, title, type, reference } }: PlanCellProps) => (
  <Stack gap={2} maw={260}>
    <Group gap="xs" wrap="nowrap">
      {country_image && <img src={country_image} width={20} height={15} alt="" loading="lazy" className="flag" />}
      <Text size="sm" span>
        {title}
      </Text>
    </Group>
    {type === 'refill' && <Badge color="gray">Refill</Badge>}
    {reference && (
      <Text c="dimmed" className="mono" span>
        {reference}
      </Text>
    )}
  </Stack>
);
