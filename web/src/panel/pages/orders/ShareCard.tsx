import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Copyable } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import { IconExternalLink } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { renewLink, revokeLink, type ShareLink, shareKey, shareLink } from '../../api/share.ts';
import { useMay } from '../../useMay.ts';

interface ShareCardProps {
  mode: Mode;
  orderId: string;
}

/** The page the partner sends to the traveller. */
export function ShareCard({ mode, orderId }: ShareCardProps) {
  const found = useQuery(shareLink(mode, orderId));
  return (
    <Section
      title="Traveller’s page"
      about="A page for the traveller: how to install the eSIM, and how much data is left, in their language."
    >
      <Loaded query={found}>{({ share }) => <Link mode={mode} orderId={orderId} link={share} />}</Loaded>
    </Section>
  );
}

function Link({ mode, orderId, link }: ShareCardProps & { link: ShareLink }) {
  const mayChange = useMay()('change');
  const touches = shareKey(mode, orderId);
  const revoke = useChange(() => revokeLink(mode, orderId), touches);
  const renew = useChange(() => renewLink(mode, orderId), touches);
  const opened = `Opened ${count(link.views, 'time')}, installation started ${count(link.installs_opened, 'time')}.`;
  if (!link.shareable)
    return (
      <Text size="sm" c="dimmed">
        There is no page any more: the order was refunded. {opened}
      </Text>
    );
  if (link.url === '')
    return (
      <Text size="sm" c="dimmed">
        The link is hidden, because anyone with it can install the eSIM. {opened}
      </Text>
    );
  if (link.url === null)
    return (
      <Stack gap="sm" align="flex-start">
        <Text size="sm">The link was revoked and no longer works. {opened}</Text>
        <Problem error={renew.error} />
        {mayChange && (
          <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate(undefined)}>
            Create a new link
          </Button>
        )}
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Copyable value={link.url} what="the link" />
      <Text size="sm" c="dimmed">
        Send this link to the traveller only: anyone with it can install the eSIM. {opened}
      </Text>
      <Group gap="xs">
        <Button
          component="a"
          href={link.url}
          target="_blank"
          rel="noreferrer"
          leftSection={<IconExternalLink size={16} />}
        >
          Open
        </Button>
        {mayChange && (
          <>
            <ConfirmButton
              label="Replace link"
              title="Replace the link?"
              change={{ ...renew, mutateAsync: () => renew.mutateAsync(undefined) }}
            >
              The current link stops working at once, and you get a new one to send.
            </ConfirmButton>
            <ConfirmButton
              label="Revoke link"
              title="Revoke the link?"
              change={{ ...revoke, mutateAsync: () => revoke.mutateAsync(undefined) }}
            >
              The page stops working at once. An eSIM that is already installed keeps working. You can create a new link
              later.
            </ConfirmButton>
          </>
        )}
      </Group>
    </Stack>
  );
}
