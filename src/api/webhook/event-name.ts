import { vocabulary } from '../../contract/described.ts';
import { sentWhen } from '../../events/events.ts';

/** Every event, with when it is sent. */
export const eventName = (description: string) => vocabulary(description, sentWhen);
