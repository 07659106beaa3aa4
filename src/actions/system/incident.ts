import {
  type Incident,
  type IncidentStatus,
  impacts,
  incidentStatuses,
  incidents,
  MAX_TEXT,
  MAX_TITLE,
  MAX_UPDATES,
  type ServicePart,
  SHOWN_DAYS,
  serviceParts,
} from '../../domains/insight/status-page/status-page.ts';
import { change } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import { DAY } from '../../platform/clock.ts';
import { snaked } from '../../platform/contract/json.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { action, type OperatorContext } from '../action.ts';
import { choice, integer, invalid, required, text, the, time } from '../fields.ts';

const id = required(integer('INCIDENT_ID', 'the incident'));
const said = required(text('TEXT', 'what the status page says about it'));
const version = text('VERSION', 'the version you saw, from `incident show`; refused if somebody has written since');
const openStatuses = incidentStatuses.filter((status) => status !== 'resolved');

const LISTED = 200;

/** Also what the console's page reads. */
export const shownIncident = (incident: Incident) => ({
  incident_id: incident.id,
  ...snaked(incident, 'title', 'impact', 'parts'),
  status: incident.updates[0]?.status ?? 'investigating',
  ...snaked(incident, 'startedAt', 'resolvedAt'),
  version: String(incident.updates.length),
  updates: incident.updates.map((one) => snaked(one, 'status', 'text', 'writtenAt')),
});

function partsIn(given: string): ServicePart[] {
  const names = given.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !serviceParts.some((part) => part === name));
  if (wrong !== undefined) throw invalid`"${wrong}" is not one of ${serviceParts.join(', ')}`;
  return serviceParts.filter((part) => names.includes(part));
}

function within(name: string, given: string, most: number): string {
  const trimmed = given.trim();
  if (trimmed === '' || trimmed.length > most) throw invalid`${the(name)} has 1 to ${most} characters`;
  return trimmed;
}

async function requireIncident(tx: Tx, wanted: number): Promise<Incident> {
  const found = await incidents.hold(tx, wanted);
  if (!found) throw new Refused('incident_not_found');
  return found;
}

/** Two people may write about the same incident at once. A page always sends the version it showed. */
function requireCurrent({ operatorId }: OperatorContext, held: Incident, given: string | undefined): void {
  if (given === undefined && operatorId !== undefined)
    throw new Refused('invalid_input', 'version: name the version you saw');
  if (given !== undefined && given !== String(held.updates.length)) throw new Refused('incident_changed');
  if (held.updates.length >= MAX_UPDATES)
    throw new Refused('invalid_input', `an incident has at most ${MAX_UPDATES} updates; write a new one`);
}

interface Written {
  readonly id: number;
  readonly text: string;
  readonly status: IncidentStatus;
  readonly version: string | undefined;
}

const writeUpdate = (context: OperatorContext, what: AuditKind, wanted: Written) =>
  change(context, what, async (tx) => {
    const held = await requireIncident(tx, wanted.id);
    requireCurrent(context, held, wanted.version);
    const update = { ...wanted, text: within('text', wanted.text, MAX_TEXT), writtenAt: new Date(context.clock.now()) };
    await incidents.update(tx, held, update);
    const after = shownIncident(await requireIncident(tx, wanted.id));
    return { target: `incident ${wanted.id}`, before: shownIncident(held), after, result: after };
  });

export const incidentActions = [
  action({
    name: 'incident write',
    console: { may: 'support' },
    summary: 'Publish an incident, or planned work, on the status page',
    options: {
      title: required(text('TEXT', 'what happened, in a few words')),
      text: said,
      impact: required(choice(impacts, 'how severe it is')),
      parts: required(text('PART,PART', `the parts it affects: ${serviceParts.join(', ')}`)),
      status: choice(openStatuses, 'its status; investigating by default'),
      started: time('when it began; now by default'),
    },
    async run(context, { title, text: given, impact, parts, status = 'investigating', started }) {
      const now = new Date(context.clock.now());
      const wanted = {
        title: within('title', title, MAX_TITLE),
        impact,
        parts: partsIn(parts),
        startedAt: started ?? now,
      };
      const first = { status, text: within('text', given, MAX_TEXT), writtenAt: now };
      return change(context, 'incident write', async (tx) => {
        const made = await incidents.write(tx, wanted, first);
        const after = shownIncident(await requireIncident(tx, made));
        return { target: `incident ${made}`, after, result: after };
      });
    },
  }),
  action({
    name: 'incident update',
    console: { may: 'support' },
    summary: 'Add an update to an incident; a resolved one is opened again',
    args: { id },
    options: { text: said, status: required(choice(openStatuses, 'its status')), version },
    run: (context, input) => writeUpdate(context, 'incident update', input),
  }),
  action({
    name: 'incident resolve',
    console: { may: 'support' },
    summary: 'Resolve an incident',
    args: { id },
    options: { text: said, version },
    run: (context, input) => writeUpdate(context, 'incident resolve', { ...input, status: 'resolved' }),
  }),
  action({
    name: 'incident show',
    console: 'shown',
    summary: 'Show an incident with all its updates',
    args: { id },
    async run({ db }, { id: wanted }) {
      const found = await incidents.find(db, wanted);
      if (!found) throw new Refused('incident_not_found');
      return shownIncident(found);
    },
  }),
  action({
    name: 'incident list',
    console: 'shown',
    summary: 'List open incidents, and those of the last 90 days',
    run: async ({ db, clock }) =>
      (await incidents.list(db, { since: new Date(clock.now() - SHOWN_DAYS * DAY), limit: LISTED })).map(shownIncident),
    text: (rows: readonly ReturnType<typeof shownIncident>[]) =>
      rows.map((one) => snaked(one, 'incident_id', 'title', 'impact', 'status', 'started_at', 'resolved_at')),
  }),
];
