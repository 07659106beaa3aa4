import { Alert, Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import { count } from '../../../parts/count.ts';
import { dollars } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { paths } from '../../paths.ts';
import type { DecidedMany } from './DecideMany.tsx';

/** What was decided, and which requests were refused and why. Stays until it is closed. */
export function ManyOutcome({ mode, of, onClose }: { mode: Mode; of: DecidedMany; onClose: () => void }) {
  const { isApproved, decided, refused, refunded } = of;
  const made = isApproved
    ? `${count(decided.length, 'refund')} approved: ${dollars(refunded)} went back.`
    : `${count(decided.length, 'request')} rejected.`;
  return (
    <Alert
      color={refused.length > 0 ? 'yellow' : 'teal'}
      role="status"
      p="sm"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
      title={refused.length > 0 ? `${made} ${refused.length} could not be decided:` : made}
    >
      {refused.length > 0 && (
        <List size="sm">
          {refused.map(({ order_id, why }) => (
            <List.Item key={order_id}>
              <Anchor component={Link} to={paths.order(order_id, mode)} size="sm" underline="always" c="inherit">
                Order {order_id}
              </Anchor>
              <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
                : {why}
              </Text>
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
