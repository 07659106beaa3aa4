import { Badge, Stack, Text } from '@mantine/core';
import type { ProbeResult as Result } from '../../api/webhooks.ts';
import { CodeBlock, Copyable } from '../../components/Copy.tsx';
import { Facts } from '../../components/Facts.tsx';

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
          ['HTTP status', result.http_status ?? 'No answer'],
          ['Error', result.error],
          ['Took', `${result.duration_ms} ms`],
          ['X-Webhook-Timestamp', <Copyable key="time" value={String(result.timestamp)} what="the timestamp" />],
          ['X-Signature', <Copyable key="signature" value={result.signature} what="the signature" />],
          ['Secret of this probe', <Copyable key="secret" value={result.probe_secret} what="the probe's secret" />],
        ]}
      />
      <Block title="Body sent" text={result.payload} what="the body sent" />
      {result.response_body !== '' && <Block title="Answer" text={result.response_body} what="the answer" />}
      <Text size="xs" c="dimmed">
        {result.signature_rule}
      </Text>
    </Stack>
  );
}

function Block({ title, text, what }: { title: string; text: string; what: string }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {title}
      </Text>
      <CodeBlock text={text} what={what} />
    </div>
  );
}
