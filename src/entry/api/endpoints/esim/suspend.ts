import { switchingEndpoint } from './switching.ts';

export const suspend = switchingEndpoint({
  path: '/esim/suspend',
  summary: 'Switch the service of an eSIM off at its supplier; asking again changes nothing',
  about:
    'For a phone that was lost, for example. The state becomes `suspended`, and `esim/resume` ends it. Data and days run on meanwhile. The eSIM can still be refilled and refunded.',
  change: 'suspend',
  message: 'The service is suspended. Data and days run on.',
});
