import { createHmac } from 'node:crypto';

export interface EsimAccessCredentials {
  readonly accessCode: string;
  readonly secret: string;
}

/** The headers of one signed request: over its time, its id, who asks, and the very bytes of its body. */
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
