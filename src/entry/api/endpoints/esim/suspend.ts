import { switchingEndpoint } from './suspension.ts';

export const suspend = switchingEndpoint(
  'suspend',
  'Switch the service of an eSIM off at its supplier; asking again changes nothing',
  'For a phone that was lost, for example. The state becomes `suspended`, and `esim/resume` ends it. Data and days run on meanwhile. The eSIM can still be refilled and refunded.',
  'The service is suspended. Data and days run on.',
);
