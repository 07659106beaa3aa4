import { useSearchParams } from 'react-router';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { useMode } from '../../useMode.ts';
import { OrderList } from './OrderList.tsx';

const PER_PAGE = 20;

export function Orders() {
  const { mode } = useMode();
  const [search, setSearch] = useSearchParams();
  const page = Math.max(1, Number(search.get('page')) || 1);
  return (
    <Page
      title="Orders"
      about="Newest first. Failed orders are not listed, as in the API; open one by its id in the address."
    >
      <Section title="All orders" flush>
        <OrderList mode={mode} page={page} limit={PER_PAGE} onPage={(next) => setSearch({ page: String(next) })} />
      </Section>
    </Page>
  );
}
