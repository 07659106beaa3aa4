import { switchingEndpoint } from './suspension.ts';

export const resume = switchingEndpoint(
  'resume',
  'Switch the service of a suspended eSIM on again; asking again changes nothing',
  'The state becomes what it would be without the suspension. Data and days have run on. An eSIM that is not suspended is answered as it is.',
  'The service is on. Data and days ran on while it was suspended.',
);
