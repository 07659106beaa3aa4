import type { Caller } from '../../../domains/partners/keys/keys.ts';
import type { Context, FileReply, Reply } from '../endpoint.ts';
import type { ReadyReply } from '../ready.ts';
import type { ApiRequest } from './api-request.ts';
import {
  checkInput,
  contextOf,
  findKey,
  type Ground,
  handle,
  requireAction,
  requireActivePartner,
  requireAllowedSource,
  requireEndpoint,
  requireKey,
  requireKeyOfHost,
  requireKeyOnlyInHeader,
  requireKnownKey,
  requireNoSimulatedError,
  requireOpenToMembers,
  requirePermission,
  requireReadable,
  requireWithinLimit,
  takeCall,
} from './gates.ts';

const isLater = <T>(value: T | Promise<T>): value is Promise<T> => value instanceof Promise;

/**
 * What every API request passes, in this order. The order is part of the contract: a request that fails two checks is
 * answered by the earlier one. Most requests find everything in memory, so a gate is waited for only when there is something
 * to wait for: an `await` costs its turn in the queue either way.
 */
export async function passGates(ground: Ground, req: ApiRequest): Promise<Reply | ReadyReply | FileReply> {
  requireKeyOfHost(req); //                                           1   live_key_on_sandbox_host, sandbox_key_on_live_host
  const reading = requireReadable(req); //                                body_too_large, unsupported_media_type, malformed_request
  if (reading) await reading;
  requireKeyOnlyInHeader(req); //                                     2   api_key_header_required
  requireKey(req); //                                                 3   api_key_required
  const known = findKey(ground, req);
  const key = requireKnownKey(req, isLater(known) ? await known : known); // 4   invalid_api_key
  requireActivePartner(key); //                                       5   partner_not_found, partner_disabled
  requireAllowedSource(ground, req, key); //                          6   ip_not_allowed
  const endpoint = requireEndpoint(req); //                           7   unknown_endpoint, unknown_method, method_not_allowed
  const verdict = takeCall(ground, req, key);
  requireWithinLimit(req, isLater(verdict) ? await verdict : verdict); // 8   rate_limited
  requirePermission(key, endpoint); //                                    key_not_permitted
  const context: Context = contextOf(ground, req, key);
  const port = requireAction(context, endpoint); //                       sandbox_only_action, sandbox_unsupported_action
  const checked = checkInput(context, req, endpoint);
  const found = isLater(checked) ? await checked : checked; //        9   what purchase/buy checks of its input first
  requireNoSimulatedError(context, req, endpoint, found); //         10   sandbox_error
  return handle(context, req, endpoint, found, port); //             11   the endpoint
}

/**
 * The same for a member of the panel. Their session takes the place of the key, so the checks of keys are left out, and so
 * are simulated errors. A change was counted before: it may have waited for another one with the same key.
 */
export async function passMemberGates(
  ground: Ground,
  req: ApiRequest,
  member: Caller,
): Promise<Reply | ReadyReply | FileReply> {
  await requireReadable(req); //                                          body_too_large, unsupported_media_type, malformed_request
  const endpoint = requireOpenToMembers(requireEndpoint(req), req); // 7   unknown_endpoint, unknown_method, method_not_allowed
  requireWithinLimit(req, req.verdict ?? (await takeCall(ground, req, member))); // 8   rate_limited
  const context: Context = contextOf(ground, req, member);
  const port = requireAction(context, endpoint); //                       sandbox_only_action, sandbox_unsupported_action
  const found = await checkInput(context, req, endpoint); //          9
  return handle(context, req, endpoint, found, port); //             11   the endpoint
}
