import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconBookmark, IconCheck, IconPencil, IconPlus } from '../../parts/icons.ts';
import { useFilters } from '../../parts/useFilters.ts';
import { EditViews } from './EditViews.tsx';
import { SaveView } from './SaveView.tsx';
import { savedViews, type ViewsAddress } from './views.ts';

interface SavedViewsProps {
  at: ViewsAddress;
  list: string;
  names: readonly string[];
}

/** Filters that the person gave a name: to pick again, to add to, to rename and to delete. */
export function SavedViews({ at, list, names }: SavedViewsProps) {
  const { of, filter } = useFilters();
  const own = (useQuery(savedViews(at)).data?.views ?? []).filter((view) => view.list === list);
  const set = Object.fromEntries(names.flatMap((name) => (of(name) === undefined ? [] : [[name, of(name) ?? '']])));
  const isSet = Object.keys(set).length > 0;
  const isShown = (filters: Readonly<Record<string, string>>) => names.every((name) => filters[name] === of(name));
  const shown = own.find(({ filters }) => isShown(filters));
  const [isSaving, saving] = useDisclosure();
  const [isEditing, editing] = useDisclosure();
  if (own.length === 0 && !isSet) return null;
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button size="compact-sm" variant="subtle" leftSection={<IconBookmark size={14} />} maw="16rem">
            {shown ? `View: ${shown.name}` : 'Views'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
          {own.map((view) => (
            <Menu.Item
              key={view.id}
              leftSection={view === shown ? <IconCheck size={14} /> : <span style={{ width: 14 }} />}
              onClick={() => filter(Object.fromEntries(names.map((name) => [name, view.filters[name]])))}
            >
              {view.name}
            </Menu.Item>
          ))}
          {own.length > 0 && <Menu.Divider />}
          <Menu.Item
            leftSection={<IconPlus size={14} />}
            disabled={!isSet || shown !== undefined}
            onClick={saving.open}
          >
            Save these filters…
          </Menu.Item>
          {own.length > 0 && (
            <Menu.Item leftSection={<IconPencil size={14} />} onClick={editing.open}>
              Edit views…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveView at={at} view={{ list, filters: set }} isOpen={isSaving} onClose={saving.close} />
      <EditViews at={at} views={own} isOpen={isEditing && own.length > 0} onClose={editing.close} />
    </>
  );
}
