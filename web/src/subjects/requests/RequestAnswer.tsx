import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RequestView } from '../../../../src/entry/panel/insight/requests.ts';
import { CodeBlock } from '../../parts/Copy.tsx';
import { count } from '../../parts/count.ts';

/** As much of a long answer as the log keeps, in characters. */
const MOST_KEPT = 16 * 1024;

/** What a call was answered, as the log keeps it. */
export function RequestAnswer({ of: { status, answer } }: { of: Pick<RequestView, 'status' | 'answer'> }) {
  const { text, length } = answer;
  if (text === null) return <Said>{whyNone(status, length)}</Said>;
  return (
    <Stack gap={4}>
      <CodeBlock text={pretty(text)} what="the answer" />
      {length > MOST_KEPT && <Said>The beginning of {count(length, 'character')}.</Said>}
      <Said>Activation data, secrets and personal data are replaced by “[hidden]”.</Said>
    </Stack>
  );
}

const Said = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
);

function whyNone(status: number, length: number): string {
  if (status === 304) return 'Nothing: what the caller had was still right.';
  return length === 0
    ? 'Not kept: the call is older than the keeping of answers.'
    : `Not kept: a file, a whole catalog, or there was too much at once. It had ${count(length, 'byte')}.`;
}

/** The beginning of an answer cannot be parsed. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
