import { NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CodeBlock } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { type RefillPlan, refills as refillsOf } from '../../api/esims.ts';
import { me } from '../../api/session.ts';
import { useMay } from '../../useMay.ts';
import { BuyButton } from '../buy/BuyButton.tsx';
import { refillEsim } from '../curl.ts';

interface RefillsProps {
  mode: Mode;
  iccid: string;
  /** How many refills it has had. */
  refills: number;
}

/** The plans that can be added now, to be bought here or by a command. */
export function Refills(props: RefillsProps) {
  const found = useQuery(refillsOf(props.mode, props.iccid));
  const buying = useMay()('buy') ? [buyColumn(props)] : [];
  return (
    <Section title="Refills on sale" about="Plans that add data and days to this eSIM, cheapest first." flush>
      <Loaded query={found}>
        {({ products }) =>
          products.length === 0 ? (
            <Text size="sm" c="dimmed" px="lg" pb="lg">
              Nothing can be added to this eSIM now.
            </Text>
          ) : (
            <>
              <DataTable
                label="Refills on sale"
                columns={[...columns, ...buying]}
                rows={products}
                rowKey={({ id }) => id}
              />
              <Command {...props} plans={products} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function Command({ mode, iccid, refills, plans }: RefillsProps & { plans: readonly RefillPlan[] }) {
  const base = useQuery(me).data?.addresses[mode];
  const [chosen, choose] = useState('');
  const plan = plans.find(({ id }) => id === chosen) ?? plans[0];
  if (base === undefined || plan === undefined) return null;
  return (
    <Stack gap="sm" p="lg">
      <NativeSelect
        size="xs"
        label="Refill to buy"
        data={plans.map(({ id, title, operator_title }) => ({ value: id, label: `${title}, ${operator_title}` }))}
        value={plan.id}
        onChange={({ currentTarget: { value } }) => choose(value)}
        maw={420}
      />
      <Text size="sm" c="dimmed">
        Put a {mode} key in $WAYFARE_KEY and run this to refill the eSIM for <Money amount={plan.partner_price} />.{' '}
        {mode === 'live' ? 'This costs real money.' : 'This uses test money only.'}
      </Text>
      <CodeBlock text={refillEsim(base, iccid, plan.id, refills)} what="the command" />
    </Stack>
  );
}

const columns: Column<RefillPlan>[] = [
  { label: 'Plan', cell: ({ title }) => title },
  { label: 'Network', card: 'line', cell: ({ operator_title }) => operator_title },
  { label: 'Data', card: 'fact', cell: ({ data }) => <span>{data}</span> },
  { label: 'Valid for', card: 'fact', cell: ({ day }) => <span>{count(day, 'day')}</span> },
  { label: 'Plan id', card: 'none', cell: ({ id }) => <span className="mono">{id}</span> },
  { label: 'Your price', kind: 'figure', cell: ({ partner_price }) => <Money amount={partner_price} /> },
];

const buyColumn = ({ mode, iccid }: RefillsProps): Column<RefillPlan> => ({
  label: 'Buy',
  cell: ({ id, title }) => <BuyButton mode={mode} productId={id} title={title} iccid={iccid} />,
});
