import { Alert, Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router';

export interface ManyDone {
  /** What was done with the others. */
  readonly made: string;
  readonly refused: readonly { readonly name: string; readonly to: string; readonly why: string }[];
}

/** What was done with the chosen rows, and which were refused and why. Stays until it is closed. */
export function ManyOutcome({ of: { made, refused }, onClose }: { of: ManyDone; onClose: () => void }) {
  return (
    <Alert
      color={refused.length > 0 ? 'yellow' : 'teal'}
      role="status"
      p="sm"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
      title={refused.length > 0 ? `${made} ${refused.length} could not be changed:` : made}
    >
      {refused.length > 0 && (
        <List size="sm">
          {refused.map(({ name, to, why }) => (
            <List.Item key={to}>
              <Anchor component={Link} to={to} size="sm" underline="always" c="inherit">
                {name}
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
