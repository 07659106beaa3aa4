import { Page } from '../../../parts/Page.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { Allowed } from '../../Allowed.tsx';
import { requestFilters } from '../../api/requests.ts';
import { useMode } from '../../useMode.ts';
import { RequestDrawer } from './RequestDrawer.tsx';
import { RequestList } from './RequestList.tsx';

export function Requests() {
  const { mode } = useMode();
  const filters = useFilters();
  const query = Object.fromEntries([...requestFilters, 'before'].map((name) => [name, filters.of(name)]));
  return (
    <Page title="Request log" about="Your API calls of the last 7 days, newest first.">
      <Allowed to="see-keys" cannot="see the request log">
        <RequestList mode={mode} filters={filters} query={query} />
        <RequestDrawer mode={mode} />
      </Allowed>
    </Page>
  );
}
