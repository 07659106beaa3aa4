import { pause as pauseSubscription } from '../../../../actions/messages/subscriptions.ts';
import { switchingEndpoint } from './subscription.ts';

export const pause = switchingEndpoint({
  path: '/webhook/pause',
  summary: 'Hold the events of a subscription until it is resumed',
  about: 'Events that happen meanwhile are held, each for 7 days at most. A disabled subscription stays disabled.',
  change: pauseSubscription,
});
