import { Center, Stack, Text } from '@mantine/core';
import { IconClock, IconX } from '@tabler/icons-react';
import type { OrderDetail } from '../../api/orders.ts';
import { Copyable } from '../../components/Copy.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Section } from '../../components/Section.tsx';
import { isFailed } from './OrderStatus.tsx';

/** What installs the eSIM. A profile installs once only, so the page warns to keep it secret. */
export function Esim({ detail: { order, esim } }: { detail: OrderDetail }) {
  const copyable = (value: string | null, what: string) => value && <Copyable value={value} what={what} />;
  if (esim.iccid === null)
    return (
      <Section title="eSIM">
        {isFailed(order.status) ? (
          <Empty icon={IconX} title="No eSIM">
            This order failed, so no eSIM will be delivered.
          </Empty>
        ) : (
          <Empty icon={IconClock} title="Waiting for delivery">
            The eSIM appears here once it is delivered, and we send you an order.delivered webhook.
          </Empty>
        )}
      </Section>
    );
  return (
    <Section title="eSIM" about="Share these details with the traveller only. The eSIM can be installed only once.">
      <Stack>
        {esim.qrcode_url && (
          <Center p="sm" bg="white" bdrs="md" style={{ alignSelf: 'center' }}>
            <img src={esim.qrcode_url} width={180} height={180} alt="QR code that installs this eSIM" />
          </Center>
        )}
        <Facts
          facts={[
            ['ICCID', copyable(esim.iccid, 'the ICCID')],
            ['SM-DP+ address', copyable(esim.smdpAddress, 'the SM-DP+ address')],
            ['Activation code', copyable(esim.matching_id, 'the activation code')],
            ['Confirmation code', copyable(esim.confirmation_code, 'the confirmation code')],
            ['QR code content (LPA)', copyable(esim.qrcode, 'the QR code content')],
            ['Phone number', copyable(esim.msisdn, 'the phone number')],
            ['APN', copyable(esim.apn_value, 'the APN')],
          ]}
        />
        <Text size="xs" c="dimmed">
          To install it, choose “Add eSIM” on the phone and scan the QR code, or enter the SM-DP+ address and the
          activation code.
        </Text>
      </Stack>
    </Section>
  );
}
