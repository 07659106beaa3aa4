import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { MouseEvent, ReactNode } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { IconChevronLeft } from './icons.ts';
import { modeIn, modeName } from './mode.ts';
import { site } from './site.ts';
import { Together } from './Together.tsx';

interface PageProps {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  /** The list a detail page belongs to. */
  back?: { readonly to: string; readonly label: string };
  /** Shown while it loads, in about the shape of the content. */
  shape?: ReactNode;
  children: ReactNode;
}

export function Page({ title, about, actions, back, shape, children }: PageProps) {
  useDocumentTitle(useTabTitle(title));
  const way = useBack(back?.to);
  return (
    <Stack gap="lg">
      <div>
        {back && (
          <Anchor component={Link} {...way} size="sm" c="dimmed" mb={4} className="target">
            <IconChevronLeft size={16} style={{ marginInlineStart: -4 }} />
            {back.label}
          </Anchor>
        )}
        <Group justify="space-between" align="flex-end" gap="sm">
          <div style={{ overflowWrap: 'anywhere' }}>
            <Title order={1}>{title}</Title>
            {about && (
              <Text c="dimmed" size="sm" mt={4} maw={640}>
                {about}
              </Text>
            )}
          </div>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </div>
      <Together shape={shape}>{children}</Together>
    </Stack>
  );
}

/** Names the world, so that a tab in live is not mistaken for one in the sandbox. */
function useTabTitle(title: string): string {
  const mode = modeIn(useLocation().pathname);
  const world = mode && modeName[mode];
  return world === undefined || title.startsWith(world)
    ? `${title} · ${site.name}`
    : `${title} · ${world} · ${site.name}`;
}

/**
 * The list as the reader left it, page and filter included, if they came from there. Then it is the page before this one, and going
 * back in the browser's history also finds the place they had scrolled to.
 */
function useBack(list = ''): { to: string; onClick?: (event: MouseEvent) => void } {
  const from: unknown = useLocation().state?.from;
  const navigate = useNavigate();
  if (typeof from !== 'string' || from.split('?')[0] !== list) return { to: list };
  return {
    to: from,
    onClick(event) {
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      navigate(-1);
    },
  };
}
