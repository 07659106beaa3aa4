import type { Mode } from '../../../parts/mode.ts';
import { When } from '../../../parts/When.tsx';
import type { Overview } from '../../api/overview.ts';
import { Notice } from './Notice.tsx';

type Incident = Overview['incidents'][number];

const colours = { major: 'red', minor: 'yellow', maintenance: 'blue' } as const;
const words: Readonly<Record<Incident['status'], string>> = {
  investigating: 'We are investigating',
  identified: 'The cause is known',
  monitoring: 'Repaired, and being watched',
  resolved: 'Resolved',
};

/** What the operator says about a problem or planned work, as on the status page. An update shows it again. */
export const Incidents = ({ mode, of }: { mode: Mode; of: readonly Incident[] }) =>
  of.map(({ id, title, impact, status, text, version, started_at, written_at, is_public }) => (
    <Notice
      key={id}
      name={`incident ${id}`}
      state={String(version)}
      mode={mode}
      color={colours[impact]}
      title={title.replace(/\.$/, '')}
      links={is_public ? [{ to: '/status', label: 'Status page', isOutside: true }] : []}
    >
      {impact === 'maintenance' ? (
        <>
          Planned work, from <When at={started_at} exact />.
        </>
      ) : (
        <>
          {words[status]}, since <When at={started_at} exact />.
        </>
      )}{' '}
      {text}
      {version > 1 && (
        <>
          {' '}
          (updated <When at={written_at} exact />)
        </>
      )}
    </Notice>
  ));
