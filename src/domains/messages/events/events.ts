/** The door of events: their names, and the message that is sent for each. */

export {
  type AccountEvent,
  balanceLow,
  type CatalogEvent,
  type EsimEvent,
  type EventStyle,
  type HelpEvent,
  type InvoiceEvent,
  type LimitEvent,
  type Message,
  messageOf,
  type NewEvent,
  type OrderEvent,
  orderMessage,
  orderOfEvent,
  type PartnerRefund,
  type PhoneEvent,
} from './messages.ts';
export {
  contractEvents,
  type EsimEventName,
  type EventName,
  eventNames,
  type OrderEventName,
  readingEvents,
  sentWhen,
} from './names.ts';
export { type DescribedEvent, describedEvents, sampleMessage } from './samples.ts';
