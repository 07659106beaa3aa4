import { sentWhen } from '../../../../domains/messages/events/events.ts';
import { vocabulary } from '../../../../platform/contract/described.ts';

/** Every event, with when it is sent. */
export const eventName = (description: string) => vocabulary(description, sentWhen);
