import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';

/** Its code is fetched when it is first opened. */
const SearchDialog = lazy(async () => ({ default: (await import('../pages/search/SearchDialog.tsx')).SearchDialog }));

/** Opens the search, from anywhere: by button, by “/” outside of text fields, and by Ctrl or Cmd + K. */
export function SearchButton() {
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
