import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

interface AddressDrawerProps {
  /** The parameter of the address that names what is open. */
  name: string;
  title: (id: string) => string;
  children: (id: string) => ReactNode;
}

/** A drawer over a list. What it shows is in the address, so it survives a reload and can be linked to. */
export function AddressDrawer({ name, title, children }: AddressDrawerProps) {
  const [search, setSearch] = useSearchParams();
  const id = search.get(name) ?? '';
  const close = () => {
    search.delete(name);
    setSearch(search, { replace: true, preventScrollReset: true });
  };
  return (
    <Drawer
      opened={id !== ''}
      onClose={close}
      position="right"
      size="lg"
      title={title(id)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {id !== '' && children(id)}
    </Drawer>
  );
}
