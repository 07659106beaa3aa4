import type { Plan } from '../../../../domains/catalog/catalog.ts';
import { apnOf } from '../../../../domains/sales/esims/esims.ts';
import type { Order } from '../../../../domains/sales/order-lists/order-lists.ts';
import { nullable, said } from '../../../../platform/contract/described.ts';
import { Type } from '../../../../platform/contract/schema.ts';

const text = (description: string, example: string) => nullable(said.text(description, example));

/** Not there at all before that. */
export const erased = Type.Optional(
  Type.Literal(true, {
    description: 'The eSIM ended long ago and its activation data was destroyed: its texts are empty.',
    examples: [true],
  }),
);

/** Null until the eSIM is there, and where its supplier does not say. */
export const esimFields = {
  qrcode: text('The text of the QR code. Whoever installs it first owns the line.', 'LPA:1$smdp.example.com$K2-1A2B3C'),
  qrcode_url: text('Address of the QR code as an image. Protect it like the code itself.', 'https://…/qr/….svg'),
  iccid: text('The number of the eSIM.', '8900012345678901234'),
  lpa: text('The server the phone downloads from; the same as `smdpAddress`.', 'smdp.example.com'),
  matching_id: text('The activation code that a phone asks for beside the server.', 'K2-1A2B3C'),
  smdpAddress: text('The server (SM-DP+) the phone downloads from.', 'smdp.example.com'),
  activationCode: text('Server and matching id together, as in the QR code.', 'LPA:1$smdp.example.com$K2-1A2B3C'),
  confirmation_code: text('A code that some eSIMs ask for during installation.', '1234'),
  msisdn: text('The phone number, if the eSIM has one.', '+81801234567'),
  apn: text('The access point name, if it has to be typed in.', 'internet'),
  apn_type: text('How the access point name is set: `automatic` or `manual`.', 'automatic'),
  apn_value: text('The access point name; the same as `apn`.', 'internet'),
  is_roaming: nullable(said.boolean('Whether data roaming has to be switched on.', true)),
  erased,
};

/** Activation data of an order. A refill brings none; it only names the eSIM it was added to. */
export function esimBlock({ iccid, esim }: Pick<Order, 'iccid' | 'esim'>, plan: Plan | undefined) {
  const apn = esim?.erased ? { value: '', type: '' } : esim && apnOf(esim, plan?.network.meta);
  return {
    qrcode: esim?.activationCode ?? null,
    qrcode_url: esim?.qrcodeUrl ?? null,
    iccid,
    lpa: esim?.smdpAddress ?? null,
    matching_id: esim?.matchingId ?? null,
    smdpAddress: esim?.smdpAddress ?? null,
    activationCode: esim?.activationCode ?? null,
    confirmation_code: esim?.confirmationCode ?? null,
    msisdn: esim?.msisdn ?? null,
    apn: apn?.value ?? null,
    apn_type: apn?.type ?? null,
    apn_value: apn?.value ?? null,
    is_roaming: esim?.isRoaming ?? null,
    ...(esim?.erased && { erased: esim.erased }),
  };
}
