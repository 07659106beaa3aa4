import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';

interface AddressProps {
  of: {
    readonly url: string;
    readonly subscription_id: string;
    readonly partner_id: number;
    readonly partner: string;
  };
}

/** A receiver's address and the partner it belongs to. */
export const Address = ({ of: { url, subscription_id, partner_id, partner } }: AddressProps) => (
  <Stack gap={2}>
    <span className="mono">{url}</span>
    <Group gap={6}>
      <Anchor component={Link} to={paths.partner(partner_id)} size="xs" className="target">
        {partner}
      </Anchor>
      <Text size="xs" c="dimmed">
        Subscription {subscription_id}
      </Text>
    </Group>
  </Stack>
);
