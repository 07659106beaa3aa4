import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copyable } from '../../../parts/Copy.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import type { OrderDetail } from '../../api/orders.ts';
import { useIsView } from '../../useIsView.ts';

interface ActivationProps {
  esim: OrderDetail['esim'];
  /** Further facts, after the codes. */
  more?: readonly (readonly [name: string, value: ReactNode])[];
}

export const KEEP_SECRET = 'Share these details with the traveller only. The eSIM can be installed only once.';

/** What installs the eSIM: the QR code, and the codes in it for typing. */
export function Activation({ esim, more = [] }: ActivationProps) {
  const isView = useIsView();
  const copyable = (value: string | null, what: string) => value && <Copyable value={value} what={what} />;
  return (
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
          ...(isView ? [] : more),
        ]}
      />
      <Text size="xs" c="dimmed">
        {isView
          ? 'The codes are hidden here. In the console they can be shown on the order’s page, and that is recorded.'
          : 'To install it, choose “Add eSIM” on the phone and scan the QR code, or enter the SM-DP+ address and the activation code.'}
      </Text>
    </Stack>
  );
}
