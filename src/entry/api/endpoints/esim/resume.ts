import { switchingEndpoint } from './switching.ts';

export const resume = switchingEndpoint({
  path: '/esim/resume',
  summary: 'Switch the service of a suspended eSIM on again; asking again changes nothing',
  about:
    'The state becomes what it would be without the suspension. Data and days have run on. An eSIM that is not suspended is answered as it is.',
  change: 'resume',
  message: 'The service is on. Data and days ran on while it was suspended.',
});
