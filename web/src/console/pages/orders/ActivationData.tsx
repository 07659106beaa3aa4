import { Button, Center, Stack, Text } from '@mantine/core';
import { Copyable } from '../../../parts/Copy.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useAction } from '../../api/actions.ts';
import { ORDERS, type OrderDetail } from '../../api/orders.ts';
import { useMay } from '../../useMay.ts';

interface Revealed {
  readonly iccid: string;
  readonly smdp_address: string;
  readonly matching_id: string | null;
  readonly activation_code: string;
  readonly confirmation_code: string | null;
  readonly msisdn: string | null;
  readonly apn: string | null;
  readonly qrcode_url: string;
}

/** Shown after a click, which is recorded in the audit log, until the operator leaves the page. */
export function ActivationData({ detail: { mode, order } }: { detail: OrderDetail }) {
  const reveal = useAction('order reveal', ORDERS);
  const mayReveal = useMay()('support');
  return (
    <Section title="Activation data">
      {reveal.data ? (
        <Codes of={reveal.data} onHide={reveal.reset} />
      ) : (
        <Stack align="flex-start">
          <Text size="sm" c="dimmed">
            Anyone who has it can install the eSIM, once.{' '}
            {mayReveal ? 'The audit log will record that you viewed it.' : 'Your role does not show it.'}
          </Text>
          {mayReveal && (
            <Button variant="default" loading={reveal.isPending} onClick={() => reveal.mutate({ id: order.id, mode })}>
              Show activation data
            </Button>
          )}
          <Problem error={reveal.error} />
        </Stack>
      )}
    </Section>
  );
}

function Codes({ of, onHide }: { of: Revealed; onHide: () => void }) {
  const copyable = (value: string | null, what: string) => value && <Copyable value={value} what={what} />;
  return (
    <Stack>
      <Center p="sm" bg="white" bdrs="md" style={{ alignSelf: 'center' }}>
        <img src={of.qrcode_url} width={180} height={180} alt="QR code that installs this eSIM" />
      </Center>
      <Facts
        facts={[
          ['SM-DP+ address', copyable(of.smdp_address, 'the SM-DP+ address')],
          ['Activation code', copyable(of.matching_id, 'the activation code')],
          ['Confirmation code', copyable(of.confirmation_code, 'the confirmation code')],
          ['QR code content (LPA)', copyable(of.activation_code, 'the QR code content')],
          ['Phone number', copyable(of.msisdn, 'the phone number')],
          ['APN', copyable(of.apn, 'the APN')],
        ]}
      />
      <Button variant="default" onClick={onHide} style={{ alignSelf: 'flex-start' }}>
        Hide
      </Button>
    </Stack>
  );
}
