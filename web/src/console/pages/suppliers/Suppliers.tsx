import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../parts/Empty.tsx';
import { IconBuildingStore } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { suppliers } from '../../api/service.ts';
import { useMay } from '../../useMay.ts';
import { AddSupplier } from './AddSupplier.tsx';
import { Charges } from './Charges.tsx';
import { SideBySide } from './SideBySide.tsx';
import { SupplierSection } from './SupplierSection.tsx';

const EVERY_MS = 10_000;

export function Suppliers() {
  const found = useQuery({ ...suppliers, refetchInterval: EVERY_MS });
  const may = useMay();
  return (
    <Page
      title="Suppliers"
      about="Who your eSIMs come from, and whether they answer. Figures are those of all processes."
      actions={may('manage') && found.data && <AddSupplier kinds={found.data.kinds} />}
    >
      <Loaded query={found} lines={8}>
        {(view) => (
          <Stack gap="lg">
            {view.suppliers.length === 0 && (
              <Empty icon={IconBuildingStore} title="No suppliers yet">
                A supplier appears here when it is added, when its settings are in the environment, or when a list is
                imported.
              </Empty>
            )}
            {view.suppliers.length > 1 && <SideBySide of={view.suppliers} />}
            {view.suppliers.map((supplier) => (
              <SupplierSection
                key={supplier.supplier}
                of={supplier}
                processes={view.processes}
                listEveryMs={view.list_every_ms}
                kind={view.kinds.find(({ kind }) => kind === supplier.kind)}
              />
            ))}
            <Charges />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}
