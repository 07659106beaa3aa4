import { Anchor, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { FormDialog } from '../../../parts/FormDialog.tsx';
import { IconBuildingStore } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useAction } from '../../api/actions.ts';
import { priceSettings, type SupplierMarkup } from '../../api/prices.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';

/** How each supplier's list prices are made. */
export function MarkupsTab() {
  const found = useQuery(priceSettings);
  const mayChange = useMay()('manage');
  return (
    <Section
      title="Markups"
      about={
        <>
          With a markup, list prices are cost plus this much; without one they are the supplier’s own. The next import
          applies it: a{' '}
          <Anchor component={Link} to={`${paths.catalog}?tab=imports`} inherit>
            dry run
          </Anchor>{' '}
          shows which prices change.
        </>
      }
      flush
    >
      <Loaded query={found}>
        {({ suppliers }) =>
          suppliers.length === 0 ? (
            <Empty icon={IconBuildingStore} title="No suppliers yet">
              Import a list first.
            </Empty>
          ) : (
            <DataTable
              label="Markups"
              columns={mayChange ? [...columns, action] : columns}
              rows={suppliers}
              rowKey={({ supplier }) => supplier}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<SupplierMarkup>[] = [
  { label: 'Supplier', cell: ({ title, supplier }) => `${title} (${supplier})` },
  { label: 'Plans', kind: 'figure', card: 'fact', cell: ({ plans }) => plans },
  { label: 'On sale', kind: 'figure', card: 'fact', cell: ({ on_sale }) => on_sale },
  {
    label: 'Markup',
    kind: 'figure',
    card: 'figure',
    cell: ({ markup_pct }) => (markup_pct === null ? 'Supplier’s prices' : `${Number(markup_pct)}%`),
  },
];

const action: Column<SupplierMarkup> = {
  label: 'Actions',
  kind: 'actions',
  cell: (supplier) => <ChangeMarkup of={supplier} />,
};

function ChangeMarkup({ of: { supplier, title, markup_pct } }: { of: SupplierMarkup }) {
  const [typed, setTyped] = useState('');
  const save = useAction('supplier set', ['prices']);
  return (
    <FormDialog
      label="Change"
      aria-label={`Change the markup of ${title}`}
      title={`Markup of ${title}`}
      submitLabel="Save markup"
      change={save}
      onOpen={() => setTyped(markup_pct === null ? '' : String(Number(markup_pct)))}
      onSubmit={() => save.mutateAsync({ supplier, markup: typed.trim() || 'none' })}
    >
      <Text size="sm">
        List prices change with the next import, except those set by hand. Orders that were placed keep their price.
      </Text>
      <TextInput
        label="Markup in %"
        description="Leave it empty for the supplier’s own list prices."
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </FormDialog>
  );
}
