import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Done } from '../../parts/Done.tsx';
import { Problem } from '../../parts/Problem.tsx';

interface AfterMailProps {
  again: {
    readonly isPending: boolean;
    readonly error: unknown;
    readonly submittedAt: number;
    readonly isSuccess: boolean;
  };
  onAgain: () => void;
  /** To another address. */
  onChange: () => void;
}

/** What can be done when a mail does not come. */
export function AfterMail({ again, onAgain, onChange }: AfterMailProps) {
  const [isRepeated, setRepeated] = useState(false);
  return (
    <>
      <Text size="sm" c="dimmed">
        Nothing there after a few minutes? Look in the folder for spam, and whether the address is right.
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          onClick={() => {
            setRepeated(true);
            onAgain();
          }}
          loading={again.isPending}
        >
          Send it again
        </Button>
        <Button variant="subtle" onClick={onChange}>
          Use another address
        </Button>
      </Group>
      <Problem error={again.error} />
      {isRepeated && again.isSuccess && <Done key={again.submittedAt}>We have asked for it again.</Done>}
    </>
  );
}
