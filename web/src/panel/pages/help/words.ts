import { megabytes } from '../../../parts/megabytes.ts';
import type { HelpRequest } from '../../api/help.ts';

export const stateName: Record<HelpRequest['state'], string> = {
  open: 'Open',
  answered: 'Answered',
  closed: 'Closed',
};

export const symptomName: Record<HelpRequest['shows'], string> = {
  cannot_install: 'Cannot be installed',
  not_listed: 'Not found on the phone',
  no_signal: 'No service',
  no_internet: 'Signal, but no internet',
  slow: 'Very slow',
  other: 'Something else',
};

/** What the page advised before they asked. */
export const stepName: Record<HelpRequest['step'], string> = {
  wait: 'Wait for the new eSIM',
  plan_ended: 'The plan has ended',
  paused: 'The eSIM is suspended',
  removed: 'The eSIM was deleted, a new one is needed',
  already_installed: 'It is installed already; turn it on',
  retry_install: 'Enter the codes by hand',
  install: 'Install the eSIM',
  not_covered: 'The plan does not cover this country',
  add_data: 'Add data',
  outage: 'Wait until the network works again',
  switch_on: 'Turn on the eSIM',
  set_apn: 'Set the APN',
  turn_on_data: 'Use the eSIM for mobile data, with roaming',
  find_network: 'Search for a network',
  speed_up: 'Connect again, or choose another network',
  ask: 'Ask for help',
};

const profileName: Record<string, string> = {
  released: 'Not installed yet',
  downloaded: 'Downloaded, not turned on',
  installed: 'Installed',
  enabled: 'Installed and turned on',
  disabled: 'Installed and turned off',
  deleted: 'Deleted from the phone',
  unknown: 'Not known',
};

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

/** What was known when they asked, in words. What is as it should be is left out. */
export const factsOf = ({ facts }: HelpRequest): [name: string, value: string | false][] => [
  ['eSIM on the phone', profileName[facts.profile_state] ?? facts.profile_state],
  [
    'Last seen in',
    facts.country !== null &&
      `${countries.of(facts.country)}${facts.covered === false ? ', which the plan does not cover' : facts.covered ? ', which the plan covers' : ''}`,
  ],
  ['Used', facts.used ? 'Yes' : 'Never'],
  [
    'Data left',
    facts.data_left ? (facts.remaining_mb === null ? false : megabytes(facts.remaining_mb)) : 'None: all of it is used',
  ],
  ['Plan', facts.ended && 'Has ended'],
  ['Service', facts.suspended && 'Suspended'],
  ['Delivery', !facts.delivered && 'The new eSIM is not there yet'],
  ['Supplier', facts.supplier_outage && 'Did not answer'],
  ['APN', facts.apn_needed && 'Has to be entered by the traveller'],
];
