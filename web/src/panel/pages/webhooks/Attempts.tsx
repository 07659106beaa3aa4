import { Badge, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { When } from '../../../parts/When.tsx';
import { deliveryError } from '../../../subjects/webhooks/deliveryError.ts';
import type { Delivery } from '../../../subjects/webhooks/webhooks.ts';
import type { Attempt } from '../../api/webhooks.ts';
import { useIsView } from '../../useIsView.ts';
import classes from './Attempts.module.css';
import { Body } from './Body.tsx';

/** Every attempt at a delivery, the latest first and open. */
export function Attempts({ of, attempts }: { of: Delivery; attempts: readonly Attempt[] }) {
  const missing = missingOf(of, attempts);
  return (
    <section aria-label="Attempts">
      <Text size="sm" fw={500}>
        Attempts
      </Text>
      {of.attempts + of.tries === 0 && attempts.length === 0 && (
        <Text size="sm" c="dimmed">
          None was made yet.
        </Text>
      )}
      {attempts.map((attempt, i) => (
        <Exchange key={attempt.attempt} of={attempt} isFirst={i === 0} />
      ))}
      {missing.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {`There is no record of ${missing.length === 1 ? 'attempt' : 'attempts'} ${missing.join(', ')}: our server was stopped during it, or it was made before attempts were recorded.`}
        </Text>
      )}
    </section>
  );
}

/** The server returns the latest hundred; what is older is not missing. */
function missingOf(of: Delivery, attempts: readonly Attempt[]): number[] {
  const made = of.attempts + of.tries;
  const known = new Set(attempts.map(({ attempt }) => attempt));
  const first = attempts.length === 100 ? (attempts.at(-1)?.attempt ?? 1) : 1;
  return Array.from({ length: made - first + 1 }, (_, i) => first + i).filter((attempt) => !known.has(attempt));
}

function Exchange({ of, isFirst }: { of: Attempt; isFirst: boolean }) {
  const [opened, setOpened] = useState(isFirst);
  const isView = useIsView();
  return (
    <details className={classes.attempt} open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        <span>Attempt {of.attempt}</span>
        <Result of={of} />
        <span className="num">{of.duration_ms} ms</span>
        <When at={of.started_at} />
      </summary>
      {opened && (
        <Stack gap="sm" pb="md">
          {of.error !== '' && <Text size="sm">{deliveryError(of.error)}</Text>}
          {isView ? null : of.request_headers === null ? (
            <Text size="sm" c="dimmed">
              No request was sent.
            </Text>
          ) : (
            <Block title="Request headers" text={lines(of.request_headers)} what="the request headers" />
          )}
          {of.response_headers !== '' && (
            <Block title="Response headers" text={of.response_headers} what="the response headers" />
          )}
          {of.response_body !== '' && <Body title="Response body" text={of.response_body} what="the response body" />}
          {!isView && of.http_status !== null && of.response_body === '' && (
            <Text size="sm" c="dimmed">
              The response had no body.
            </Text>
          )}
        </Stack>
      )}
    </details>
  );
}

function Result({ of: { http_status, error } }: { of: Attempt }) {
  const succeeded = error === '' && http_status !== null && http_status >= 200 && http_status < 300;
  return (
    <Badge color={succeeded ? 'teal' : 'red'}>{http_status === null ? 'No response' : `HTTP ${http_status}`}</Badge>
  );
}

function Block({ title, text, what }: { title: string; text: string; what: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      <CodeBlock text={text} what={what} />
    </Stack>
  );
}

const lines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
