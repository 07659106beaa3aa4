import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { Mode } from '../../../parts/mode.ts';
import { ordersFile, type SoughtOrders } from '../../api/orders.ts';

/** The list as a file: all its pages, with the filters that are set. */
export function DownloadOrders({ mode, sought }: { mode: Mode; sought: SoughtOrders }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
          Download CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={ordersFile(mode, sought)} download>
          Times in UTC
        </Menu.Item>
        <Menu.Item component="a" href={ordersFile(mode, sought, timeZone)} download>
          UTC and local time ({timeZone})
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
