import { Type } from 'typebox';
import type { Order } from '../../orders/orders.ts';
import { nullable } from '../views.ts';

const text = nullable(Type.String());

export const esimFields = {
  qrcode: text,
  qrcode_url: text,
  iccid: text,
  lpa: text,
  matching_id: text,
  smdpAddress: text,
  activationCode: text,
  confirmation_code: text,
  msisdn: text,
  apn: text,
  apn_type: text,
  apn_value: text,
  is_roaming: nullable(Type.Boolean()),
};

/** Activation data of an order. A refill brings none; it only names the eSIM it was added to. */
export function esimBlock({ iccid, esim }: Pick<Order, 'iccid' | 'esim'>) {
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
    apn: esim?.apn ?? null,
    apn_type: esim?.apnType ?? null,
    apn_value: esim?.apnValue ?? null,
    is_roaming: esim?.isRoaming ?? null,
  };
}
