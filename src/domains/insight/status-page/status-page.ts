export {
  readService,
  type ServiceDay,
  type ServicePart,
  SHOWN_DAYS,
  serviceHoursJob,
  serviceParts,
} from './hours.ts';
export {
  type Incident,
  type IncidentStatus,
  impacts,
  incidentStatuses,
  incidents,
  MAX_TEXT,
  MAX_TITLE,
  MAX_UPDATES,
} from './incidents.ts';
