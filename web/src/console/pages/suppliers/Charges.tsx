import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconReceipt } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { type Charge, charges } from '../../api/service.ts';
import { paths } from '../../paths.ts';
import { Cost } from '../catalog/Cost.tsx';

/** Orders whose supplier charged a different price than the one the sale was calculated with. */
export function Charges() {
  const found = useQuery(charges);
  return (
    <Section
      title="Charged otherwise"
      about="Orders whose supplier charged a different price than its list says, newest first. The usual cause is an outdated list."
      flush
    >
      <Loaded query={found}>
        {(view) =>
          view.charges.length === 0 ? (
            <Empty icon={IconReceipt} title="Every order was charged as expected" />
          ) : (
            <DataTable label="Charges" columns={columns} rows={view.charges} rowKey={({ order_id }) => order_id} />
          )
        }
      </Loaded>
    </Section>
  );
}

/** A difference that two decimals would hide is said in words. */
const difference = (amount: string) => (
  <span className="num" title={`${amount} USD`}>
    {Math.abs(Number(amount)) < 0.005 ? (
      `Under $0.01 ${amount.startsWith('-') ? 'less' : 'more'}`
    ) : (
      <Money amount={amount} movement />
    )}
  </span>
);

const columns: readonly Column<Charge>[] = [
  { label: 'Order', cell: ({ order_id }) => <RowLink to={paths.order(order_id)}>{order_id}</RowLink> },
  { label: 'Supplier', cell: ({ supplier }) => supplier },
  { label: 'Plan there', cell: ({ supplier_plan }) => <span className="mono">{supplier_plan}</span> },
  { label: 'Expected', kind: 'figure', card: 'fact', cell: ({ expected }) => <Cost amount={expected} /> },
  { label: 'Charged', kind: 'figure', card: 'fact', cell: ({ charged }) => <Cost amount={charged} /> },
  { label: 'Difference', kind: 'figure', cell: (of) => difference(of.difference) },
  { label: 'Delivered', cell: ({ delivered_at }) => <When at={delivered_at} /> },
];
