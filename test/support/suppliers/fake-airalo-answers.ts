import { record } from '../program/app.ts';
import type { FakeRequest, Reply } from './fake-http.ts';

/** Answers in the shapes of Airalo's API. */
export const ok = (data: unknown, more: object = {}): Reply => ({
  status: 200,
  body: { data, meta: { message: 'success' }, ...more },
});
export const problem = (status: number, message: string): Reply => ({ status, body: { data: [], meta: { message } } });
export const notFound = problem(404, 'messages.resource_not_found');
export const fields = (data: Record<string, string>): Reply => ({
  status: 422,
  body: { data, meta: { message: 'the parameter is invalid' } },
});
export const business = (code: number, reason: string, status = 422): Reply => ({ status, body: { code, reason } });
export const tooMany: Reply = { status: 429, body: { message: 'Too Many Attempts.' } };

/** Reads JSON, as the SDKs send it, or a form, as in the documents. */
export function payloadOf({ headers, body }: FakeRequest): Record<string, unknown> | undefined {
  if (headers['content-type'] === 'application/x-www-form-urlencoded')
    return Object.fromEntries(new URLSearchParams(body));
  if (headers['content-type'] !== 'application/json') return undefined;
  return JSON.parse(body) as Record<string, unknown>;
}

export function simView(id: number, iccid: string): Record<string, unknown> {
  const qrcode = `LPA:1$lpa.airalo.com$TEST-${id}`;
  record('secrets', `${qrcode}\n`);
  return {
    id: id * 2,
    iccid,
    lpa: 'lpa.airalo.com',
    imsis: null,
    matching_id: `TEST-${id}`,
    qrcode,
    qrcode_url: 'https://airalo.invalid/qr',
    direct_apple_installation_url: `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${qrcode}`,
    apn_type: 'manual',
    apn_value: 'globaldata',
    is_roaming: true,
    confirmation_code: null,
    msisdn: null,
    apn: { ios: { apn_type: 'manual', apn_value: 'globaldata' }, android: {} },
  };
}
