export { Wayfare } from './client.ts';
export type { Answer, BatchItem, ErrorBody, ErrorCode, Fields, Operation, Schemas, WebhookEvent } from './contract.ts';
export { WayfareConnectionError, WayfareError } from './errors.ts';
export type { EndedRequest, Hooks, SentRequest } from './hooks.ts';
export type { Paging } from './pages.ts';
export { fetchReceiver, nodeReceiver, type ReceiveOptions } from './receive.ts';
export type { Calling, RateLimit, Reply } from './reply.ts';
export type { CallOptions, WayfareSettings } from './send.ts';
export { type HeaderSource, type VerifyOptions, verifyWebhook, WebhookRejected } from './verify.ts';
