import { Tabs } from '@mantine/core';
import type { ComponentType } from 'react';
import { useSearchParams } from 'react-router';

/** The first tab is open until another is chosen. */
export type TabList<Given extends object = object> = readonly [Tab<Given>, ...Tab<Given>[]];
interface Tab<Given extends object> {
  readonly name: string;
  readonly label: string;
  readonly Content: ComponentType<Given>;
}

interface AddressTabsProps<Given extends object> {
  tabs: TabList<Given>;
  /** What every tab's content is given. */
  given: Given;
  /** Whether choosing the first tab leaves its name out of the address. */
  isFirstUnnamed?: boolean;
}

/** Tabs whose choice is in the address, so that a link or a reload opens the same one. */
export function AddressTabs<Given extends object>({ tabs, given, isFirstUnnamed = false }: AddressTabsProps<Given>) {
  const [search, setSearch] = useSearchParams();
  const first = tabs[0].name;
  return (
    <Tabs
      value={tabs.find(({ name }) => name === search.get('tab'))?.name ?? first}
      onChange={(chosen) => {
        const tab = chosen ?? first;
        setSearch(isFirstUnnamed && tab === first ? {} : { tab }, { replace: true });
      }}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, Content }) => (
        <Tabs.Panel key={name} value={name}>
          <Content {...given} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
