import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../../parts/Loaded.tsx';
import { priceSettings } from '../../api/prices.ts';
import { Cap } from './Cap.tsx';
import { Tiers } from './Tiers.tsx';

export function SharesTab() {
  const found = useQuery(priceSettings);
  return (
    <Loaded query={found} lines={6}>
      {(it) => (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Tiers key={JSON.stringify(it.tiers)} tiers={it.tiers} windowDays={it.window_days} />
          <Cap key={it.total_share_cap_pct} cap={it.total_share_cap_pct} />
        </SimpleGrid>
      )}
    </Loaded>
  );
}
