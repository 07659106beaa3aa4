import { Alert, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type OrderDetail, order } from '../../api/orders.ts';
import { Copyable } from '../../components/Copy.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Esim } from './Esim.tsx';
import { OrderStatus } from './OrderStatus.tsx';
import { UsageBar } from './UsageBar.tsx';

export function Order() {
  const { id = '' } = useParams();
  const { mode } = useMode();
  const found = useQuery(order(mode, id));
  return (
    <Page
      title={`Order ${id}`}
      about={found.data?.order.title_display}
      back={{ to: paths.orders(mode), label: 'Orders' }}
    >
      <Loaded query={found} lines={8}>
        {(detail) => (
          <>
            {detail.operator_meta.warning && <Alert color="yellow">{detail.operator_meta.warning}</Alert>}
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <About detail={detail} />
              <Esim esim={detail.esim} />
            </SimpleGrid>
            {detail.esim.iccid !== null && <UsageBar mode={mode} iccid={detail.esim.iccid} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ detail: { order: it, operator_meta } }: { detail: OrderDetail }) {
  return (
    <Section title="Order" actions={<OrderStatus status={it.status} />}>
      <Facts
        facts={[
          ['Plan', it.product_title],
          ['Product', <Copyable key="product" value={it.product_id} what="the product id" />],
          ['Destination', it.country_name],
          ['Data', it.data],
          ['Valid for', `${it.day} days`],
          ['Network', it.operator_title],
          ['Fair use', it.fair_use_text],
          ['Activation', operator_meta.activation_policy],
          ['List price', <Money key="list" amount={it.product_price} />],
          ['Charged', <Money key="charged" amount={it.sale_price} />],
          ['Ordered (UTC)', <When key="date" at={it.date} />],
          [
            'Supplier reference',
            it.api_sale_code && <Copyable key="ref" value={it.api_sale_code} what="the reference" />,
          ],
        ]}
      />
    </Section>
  );
}
