import type { ActivityView as Activity } from '../../../../../src/entry/panel/account/activity.ts';
import { permissionsText } from '../../../subjects/keys/permissions.ts';
import { roleName } from '../../../subjects/people/roleName.ts';

/** `Role: Finance → Developer`; only the new value of what is new, and that something was taken away. */
export function changeText({ field, label, before, after }: Activity['changes'][number]): string {
  const word = (value: string) => {
    if (field === 'permissions') return permissionsText(value.split(', '));
    return field === 'role' && value in roleName ? roleName[value as keyof typeof roleName] : value;
  };
  if (after === null) return `${label}: ${word(before ?? '')} → none`;
  return before === null ? `${label}: ${word(after)}` : `${label}: ${word(before)} → ${word(after)}`;
}
