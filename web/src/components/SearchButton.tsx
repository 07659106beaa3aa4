import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ComponentType, Suspense, useState } from 'react';

interface SearchButtonProps {
  dialog: ComponentType<{ isOpen: boolean; onClose: () => void }>;
}

/** Opens the search, from anywhere: by button, by “/” outside of text fields, and by Ctrl or Cmd + K. */
export function SearchButton({ dialog: SearchDialog }: SearchButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const open = () => {
    setWasOpen(true);
    setOpen(true);
  };
  useHotkeys([['/', open]]);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <ActionIcon
        variant="default"
        size={36}
        onClick={open}
        aria-label="Search"
        aria-keyshortcuts="/ Control+K Meta+K"
        title="Search (/)"
      >
        <IconSearch size={18} />
      </ActionIcon>
      {wasOpen && (
        <Suspense>
          <SearchDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
