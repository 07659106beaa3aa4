import { ActionIcon, Anchor, Box, Group } from '@mantine/core';
import classes from './Copy.module.css';
import { IconAlertTriangle, IconCheck, IconCopy } from './icons.ts';
import { useCopy } from './useCopy.ts';

/** `what` names the value for screen readers: "Copy the order id". */
function CopyButton({ value, what }: { value: string; what: string }) {
  const { state, copy } = useCopy();
  const { label, color, Picture } = {
    idle: { label: `Copy ${what}`, color: 'gray', Picture: IconCopy },
    copied: { label: 'Copied', color: 'teal', Picture: IconCheck },
    failed: {
      label: 'Could not copy. Select the text and copy it yourself.',
      color: 'red',
      Picture: IconAlertTriangle,
    },
  }[state];
  return (
    <>
      <ActionIcon
        variant="subtle"
        color={color}
        size={28}
        onClick={(event) => copy(value, event.currentTarget)}
        aria-label={label}
        title={state === 'idle' ? 'Copy' : label}
      >
        <Picture size={15} />
      </ActionIcon>
      {state === 'failed' && (
        <span className={classes.failed} role="status">
          Could not copy
        </span>
      )}
    </>
  );
}

/** An id, address or code with a button that copies it. */
export function Copyable({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <span className="mono">{value}</span>
      <CopyButton value={value} what={what} />
    </Group>
  );
}

/** A link that is more often passed on than opened. */
export function CopyableLink({ href, label, what }: { href: string; label: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
        {label}
      </Anchor>
      <CopyButton value={href} what={what} />
    </Group>
  );
}

/** A command to paste into a terminal, or a request or response body. */
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
