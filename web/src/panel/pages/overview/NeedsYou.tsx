import { count } from '../../../parts/count.ts';
import type { Mode } from '../../../parts/mode.ts';
import { When } from '../../../parts/When.tsx';
import type { Overview } from '../../api/overview.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../notices/Notice.tsx';

/** What needs attention besides the notices that other pages show as well. */
export function NeedsYou({ mode, of: { waiting, help, expiring_keys } }: { mode: Mode; of: Overview }) {
  return (
    <>
      {waiting && (
        <Notice
          name="waiting"
          state={waiting.since ?? ''}
          mode={mode}
          color="yellow"
          title={`${waiting.more ? `${waiting.orders} or more orders wait` : waiting.orders === 1 ? '1 order waits' : `${count(waiting.orders, 'order')} wait`} for delivery`}
          links={[{ to: `${paths.orders(mode)}?status=deferred`, label: 'See them' }]}
        >
          Paid and not delivered, the oldest since <When at={waiting.since} exact />. Tell the travellers, or cancel.
        </Notice>
      )}
      {help && (
        <Notice
          name="help"
          state={`${help.requests} ${help.since ?? ''}`}
          mode={mode}
          color="yellow"
          title={`${help.more ? `${help.requests} or more travellers ask` : help.requests === 1 ? '1 traveller asks' : `${count(help.requests, 'traveller')} ask`} for help`}
          links={[{ to: `${paths.helpRequests(mode)}?status=open`, label: 'Answer them' }]}
        >
          Nobody has answered yet; the first asked <When at={help.since} exact />.
        </Notice>
      )}
      {expiring_keys.map(({ id, name, expires_at }) => (
        <Notice
          key={id}
          name={`key ${id}`}
          state={expires_at ?? ''}
          mode={mode}
          color="yellow"
          title={`The API key ${name === '' ? id : `“${name}”`} expires soon`}
          links={[{ to: paths.keys, label: 'Make another' }]}
        >
          It stops working on <When at={expires_at} exact />.
        </Notice>
      ))}
    </>
  );
}
