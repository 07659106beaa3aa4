/** The door of events: what partners can be told of, and the message that tells it. */
export { type DescribedEvent, describedEvents, sentWhen } from './described.ts';
export {
  type AccountEvent,
  balanceLow,
  type EsimEvent,
  type EventStyle,
  type Message,
  messageOf,
  type NewEvent,
  type OrderEvent,
  orderMessage,
  type PartnerRefund,
} from './messages.ts';
export {
  contractEvents,
  type EsimEventName,
  type EventName,
  esimEvents,
  eventNames,
  type OrderEventName,
} from './names.ts';
export { sampleMessage } from './samples.ts';
