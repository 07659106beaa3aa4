import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { RecoveryCodesView, SetupView } from '../../../../src/entry/site/json/account-security.ts';
import { Copyable } from '../../parts/Copy.tsx';
import { Form } from '../../parts/Form.tsx';
import { Problem } from '../../parts/Problem.tsx';
import type { Change } from '../../parts/server/client.ts';
import { useChange } from '../../parts/server/useChange.ts';
import { CodeField } from '../sign-in/CodeField.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

interface SetUpProps {
  setup: SetupView;
  turnOn: (code: string) => Change<RecoveryCodesView>;
  rescuer: string;
  onClose: () => void;
}

/** The key to scan or type, then a first code, then the recovery codes. */
export function SetUpSecondFactor({ setup, turnOn: turnOnWith, rescuer, onClose }: SetUpProps) {
  const turnOn = useChange(turnOnWith);
  if (turnOn.data) return <RecoveryCodes codes={turnOn.data.recovery_codes} rescuer={rescuer} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title="Set up two-step sign-in" closeOnClickOutside={false}>
      <Form
        onSubmit={(typed) => {
          turnOn.mutate(String(typed.get('code')));
        }}
      >
        <Stack>
          <Text size="sm">Scan this with an authenticator app, or type the key into it.</Text>
          <img
            src={`data:image/svg+xml,${encodeURIComponent(setup.qr)}`}
            width={200}
            height={200}
            alt="QR code of the key"
            style={{ alignSelf: 'center', background: 'white', borderRadius: 'var(--mantine-radius-md)' }}
          />
          <div style={{ overflowWrap: 'anywhere' }}>
            <Copyable value={setup.key} what="the key" />
          </div>
          <CodeField isFirst />
          <Problem error={turnOn.error} />
          <Text size="xs" c="dimmed">
            Turning it on signs you out everywhere else.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={turnOn.isPending}>
              Turn on
            </Button>
          </Group>
        </Stack>
      </Form>
    </Modal>
  );
}
