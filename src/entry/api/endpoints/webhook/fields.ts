import { type EventName, eventNames, sentWhen } from '../../../../domains/messages/events/events.ts';
import { webhookLimits } from '../../../../domains/messages/webhooks/webhooks.ts';
import { said, vocabulary } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { custom, notPlain, type RawValue } from '../../../../platform/contract/fields.ts';
import { NO_ID, typedBigIdIn } from '../../../../platform/contract/ids.ts';
import { Type } from '../../../../platform/contract/schema.ts';

/** The subscription. Anything that cannot be an id is treated as an unknown one. */
export const id = custom<bigint>({
  schema: Type.Integer({
    minimum: 1,
    description: 'The subscription, by its number in `webhook/list`.',
    examples: [12],
  }),
  required: true,
  errors: ['id_required'],
  parse(raw) {
    if (raw === undefined) throw fail('id_required');
    return (raw !== notPlain && typedBigIdIn(raw)) || NO_ID;
  },
});

function readUrl(raw: RawValue): string {
  if (raw === undefined || raw === notPlain || raw.trim() === '') throw fail('url_required');
  if ([...raw].length > webhookLimits.urlLength) throw fail('url_too_long');
  return raw;
}

const urlField =
  <T>(required: boolean, parse: (raw: RawValue) => T) =>
  (description: string) =>
    custom<T>({
      schema: Type.String({
        maxLength: webhookLimits.urlLength,
        description,
        examples: ['https://shop.example.com/webhooks'],
      }),
      required,
      errors: ['url_required', 'url_too_long'],
      parse,
    });

export const url = urlField(true, readUrl);

/** Undefined: it stays. */
export const newUrl = urlField(false, (raw) => (raw === undefined ? undefined : readUrl(raw)));

/** Names of events between commas; undefined: none were sent. */
export const events = (description: string) =>
  custom<EventName[] | undefined>({
    schema: said.text(description, 'order.delivered,order.failed'),
    required: false,
    errors: ['invalid_event'],
    parse(raw) {
      if (raw === undefined) return undefined;
      return (raw === notPlain ? '' : raw).split(',').map((name) => {
        const known = eventNames.find((event) => event === name.trim());
        if (!known) throw fail('invalid_event');
        return known;
      });
    },
  });

export const eventName = (description: string) => vocabulary(description, sentWhen);
