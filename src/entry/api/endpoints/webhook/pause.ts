import { pause as pauseSubscription } from '../../../../actions/messages/subscriptions.ts';
import { switchingEndpoint } from './subscription.ts';

export const pause = switchingEndpoint(
  'pause',
  pauseSubscription,
  'Hold the events of a subscription until it is resumed',
  'Events that happen meanwhile are held, each for 7 days at most. A disabled subscription stays disabled.',
);
