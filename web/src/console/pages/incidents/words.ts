import type { ImpactName, IncidentStatusName, PartName } from '../../api/incidents.ts';

export const impactNames: Readonly<Record<ImpactName, string>> = {
  maintenance: 'Planned work',
  minor: 'Problem',
  major: 'Major problem',
};

export const impactColors: Readonly<Record<ImpactName, string>> = {
  maintenance: 'gray',
  minor: 'yellow',
  major: 'red',
};

export const partNames: Readonly<Record<PartName, string>> = {
  api: 'API',
  webhooks: 'Webhooks',
  suppliers: 'Suppliers',
};

export const statusNames: Readonly<Record<IncidentStatusName, string>> = {
  investigating: 'Investigating',
  identified: 'Cause found',
  monitoring: 'Watching',
  resolved: 'Resolved',
};
