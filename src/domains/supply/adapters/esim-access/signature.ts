import { createHmac } from 'node:crypto';

export interface EsimAccessCredentials {
  readonly accessCode: string;
  readonly secret: string;
}

/** The headers of a signed request. The signature covers its time, its id, the access code and the exact bytes of the body. */
export function signedHeaders(
  { accessCode, secret }: EsimAccessCredentials,
  sent: { readonly timestamp: string; readonly requestId: string; readonly body: string },
): Record<string, string> {
  const { timestamp, requestId, body } = sent;
  const signature = createHmac('sha256', secret)
    .update(timestamp + requestId + accessCode + body)
    .digest('hex');
  return {
    'rt-accesscode': accessCode,
    'rt-timestamp': timestamp,
    'rt-requestid': requestId,
    'rt-signature': signature,
  };
}
