import { shownIncident } from '../../../actions/system/incident.ts';
import { incidents, SHOWN_DAYS } from '../../../domains/insight/status-page/status-page.ts';
import { DAY } from '../../../platform/clock.ts';
import type { Base } from '../../../worlds/base.ts';
import { iso } from '../../site/json/action.ts';
import { operatorRead } from '../action.ts';

const LISTED = 200;

/** What the status page says in words; they are written with the commands `incident …`. */
export const incidentActions = ({ db, config }: Base) => [
  operatorRead('/operator/api/incidents', async ({ now }) => {
    const found = await incidents.list(db, { since: new Date(now - SHOWN_DAYS * DAY), limit: LISTED });
    return {
      incidents: found.map(shownIncident).map(incidentView),
      /** Whether they are public: with `PUBLIC_SITE=off` there is no status page. */
      is_public: config.site.isPublic,
    };
  }),
];

const incidentView = ({ started_at, resolved_at, updates, ...one }: ReturnType<typeof shownIncident>) => ({
  ...one,
  started_at: iso(started_at),
  resolved_at: resolved_at && iso(resolved_at),
  updates: updates.map(({ written_at, ...update }) => ({ ...update, written_at: iso(written_at) })),
});
