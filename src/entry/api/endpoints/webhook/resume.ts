import { resume as resumeSubscription } from '../../../../actions/messages/subscriptions.ts';
import { switchingEndpoint } from './subscription.ts';

export const resume = switchingEndpoint(
  'resume',
  resumeSubscription,
  'Make a paused or disabled subscription active again',
  'Its failure count starts at zero, and the events that were held follow, oldest first.',
);
