import { SegmentedControl } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useWorld } from './useWorld.ts';

/** Between live and the sandbox. Filters of one world mean nothing in the other, so they go. */
export function WorldSwitch() {
  const [, setSearch] = useSearchParams();
  return (
    <SegmentedControl
      aria-label="World"
      value={useWorld()}
      onChange={(mode) => setSearch(mode === 'sandbox' ? { mode } : {}, { replace: true })}
      data={[
        { value: 'live', label: 'Live' },
        { value: 'sandbox', label: 'Sandbox' },
      ]}
    />
  );
}
