import { Center, Stack, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { OrderDetail } from '../../api/orders.ts';
import { Copyable } from '../../components/Copy.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Section } from '../../components/Section.tsx';

/** What installs the eSIM. Whoever uses it first owns the line, and the page says so. */
export function Esim({ esim }: { esim: OrderDetail['esim'] }) {
  const copyable = (value: string | null, what: string) => value && <Copyable value={value} what={what} />;
  if (esim.iccid === null)
    return (
      <Section title="eSIM">
        <Empty icon={IconClock} title="Not here yet">
          It appears when the order is delivered; the webhook order.delivered tells you.
        </Empty>
      </Section>
    );
  return (
    <Section title="eSIM" about="Keep it secret: whoever installs it first owns the line.">
      <Stack>
        {esim.qrcode_url && (
          <Center p="sm" bg="white" bdrs="md" style={{ alignSelf: 'center' }}>
            <img src={esim.qrcode_url} width={180} height={180} alt="QR code that installs this eSIM" />
          </Center>
        )}
        <Facts
          facts={[
            ['ICCID', copyable(esim.iccid, 'the ICCID')],
            ['Activation string', copyable(esim.qrcode, 'the activation string')],
            ['SM-DP+ address', copyable(esim.smdpAddress, 'the SM-DP+ address')],
            ['Activation code', copyable(esim.activationCode, 'the activation code')],
            ['Confirmation code', copyable(esim.confirmation_code, 'the confirmation code')],
            ['Phone number', copyable(esim.msisdn, 'the phone number')],
            ['APN', copyable(esim.apn_value, 'the APN')],
          ]}
        />
        <Text size="xs" c="dimmed">
          On the phone: add an eSIM, then scan the code or type the address and the activation code.
        </Text>
      </Stack>
    </Section>
  );
}
