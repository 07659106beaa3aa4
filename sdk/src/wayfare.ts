export { Wayfare } from './client.ts';
export type { Answer, ErrorBody, ErrorCode, Fields, Operation, Schemas, WebhookEvent } from './contract.ts';
export { WayfareConnectionError, WayfareError } from './errors.ts';
export { fetchReceiver, nodeReceiver, type ReceiveOptions } from './receive.ts';
export type { CallOptions, WayfareSettings } from './send.ts';
export { type HeaderSource, type VerifyOptions, verifyWebhook, WebhookRejected } from './verify.ts';
