import { Badge, Stack, Text } from '@mantine/core';
import { Copyable } from '../../../parts/Copy.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { deliveryError } from '../../../subjects/webhooks/deliveryError.ts';
import type { ProbeResult as Result } from '../../api/webhooks.ts';
import { Body } from './Body.tsx';

export function ProbeResult({ result }: { result: Result }) {
  return (
    <Stack gap="sm" role="status">
      <Facts
        facts={[
          [
            'Result',
            <Badge key="result" color={result.accepted ? 'teal' : 'red'}>
              {result.accepted ? 'Accepted' : 'Not accepted'}
            </Badge>,
          ],
          ['HTTP status', result.http_status ?? 'No response'],
          ['Error', result.error && deliveryError(result.error)],
          ['Duration', `${result.duration_ms} ms`],
          ['X-Webhook-Timestamp', <Copyable key="time" value={String(result.timestamp)} what="the timestamp" />],
          ['X-Signature', <Copyable key="signature" value={result.signature} what="the signature" />],
          ['One-time secret', <Copyable key="secret" value={result.probe_secret} what="the one-time secret" />],
        ]}
      />
      <Body title="Request body" text={result.payload} what="the request body" />
      {result.response_body !== '' && <Body title="Response" text={result.response_body} what="the response" />}
      <Text size="xs" c="dimmed">
        {result.signature_rule}
      </Text>
    </Stack>
  );
}
