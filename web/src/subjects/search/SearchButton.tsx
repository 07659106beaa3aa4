import { ActionIcon, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { type ComponentType, Suspense, useRef, useState } from 'react';
import { IconSearch } from '../../parts/icons.ts';
import classes from './SearchButton.module.css';

interface SearchButtonProps {
  dialog: ComponentType<{ isOpen: boolean; onClose: () => void }>;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const SHORTCUT = isMac ? '⌘K' : 'Ctrl K';

/** Opens the search, from anywhere: by button, by “/” outside of text fields, and by Ctrl or Cmd + K. */
export function SearchButton({ dialog: SearchDialog }: SearchButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef<Element>(null);
  const open = () => {
    // The dialog's code is fetched when it is first opened: too late for the dialog to know where the focus was.
    if (!isOpen) before.current = document.activeElement;
    setWasOpen(true);
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    const last = before.current;
    (last instanceof HTMLElement && last !== document.body && last.isConnected ? last : button.current)?.focus();
  };
  useHotkeys([['/', open]]);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <ActionIcon
        ref={button}
        variant="default"
        h={36}
        w={{ base: 36, sm: 'auto' }}
        px={{ sm: 'xs' }}
        onClick={open}
        aria-label="Search"
        aria-keyshortcuts="/ Control+K Meta+K"
        title={`Search and commands (${SHORTCUT}, or /)`}
      >
        <IconSearch size={18} />
        <Kbd size="xs" ml="xs" visibleFrom="sm" aria-hidden="true" className={classes.shortcut} data-keys={SHORTCUT} />
      </ActionIcon>
      {wasOpen && (
        <Suspense>
          <SearchDialog isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
