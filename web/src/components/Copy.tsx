import { ActionIcon, Box, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './Copy.module.css';

/** `what` names the value for whoever does not see it: "Copy the order id". */
function CopyButton({ value, what }: { value: string; what: string }) {
  const { copy, copied } = useClipboard({ timeout: 1500 });
  return (
    <ActionIcon
      variant="subtle"
      color={copied ? 'teal' : 'gray'}
      size="sm"
      onClick={() => copy(value)}
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      title={copied ? 'Copied' : 'Copy'}
    >
      {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
    </ActionIcon>
  );
}

/** An id, address or code: monospaced, and one press away from the clipboard. */
export function Copyable({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <span className="mono">{value}</span>
      <CopyButton value={value} what={what} />
    </Group>
  );
}

/** Something to paste into a terminal, or a body as it was sent. */
export function CodeBlock({ text, what }: { text: string; what: string }) {
  return (
    <Box className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre className={classes.text} tabIndex={0}>
        {text}
      </pre>
      <Box className={classes.button}>
        <CopyButton value={text} what={what} />
      </Box>
    </Box>
  );
}
