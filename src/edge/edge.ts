import type { Caller } from '../accounts/accounts.ts';
import type { Context, Reply } from '../api/endpoint.ts';
import type { ReadyReply } from '../api/ready.ts';
import type { Exchange } from './exchange.ts';
import {
  actionKnown,
  callTaken,
  contextOf,
  type Ground,
  handled,
  inputChecked,
  keyKnown,
  keyMatchesHost,
  keyOnlyInHeader,
  keyPresent,
  keySent,
  noErrorSimulated,
  openToMembers,
  partnerInGoodStanding,
  requestReadable,
  resourceActionVerb,
  sourceAllowed,
  withinRateLimit,
} from './gates.ts';

/**
 * What every API request meets, in this order. The order is part of the contract: a request that fails two checks is
 * answered by the earlier one.
 */
export async function passGates(ground: Ground, x: Exchange): Promise<Reply | ReadyReply> {
  keyMatchesHost(x); //                                      1   live_key_on_sandbox_host, sandbox_key_on_live_host
  await requestReadable(x); //                                   body_too_large, unsupported_media_type, malformed_request
  keyOnlyInHeader(x); //                                     2   api_key_header_required
  keyPresent(x); //                                          3   api_key_required
  const key = keyKnown(x, await keySent(ground, x)); //      4   invalid_api_key
  partnerInGoodStanding(key); //                             5   partner_not_found, partner_disabled
  sourceAllowed(ground, x, key); //                          6   ip_not_allowed
  const endpoint = resourceActionVerb(x); //                 7   unknown_endpoint, unknown_method, method_not_allowed
  withinRateLimit(x, await callTaken(ground, x, key)); //    8   rate_limited
  const context: Context = contextOf(ground, x, key);
  const port = actionKnown(context, endpoint); //                sandbox_only_action, sandbox_unsupported_action
  const found = await inputChecked(context, x, endpoint); // 9   what purchase/buy checks of its input first
  noErrorSimulated(context, x, endpoint, found); //         10   sandbox_error
  return handled(context, x, endpoint, found, port); //     11   the endpoint
}

/**
 * The same for a member of the panel. Her session stands in the place of the key: what is asked of keys falls away, and so
 * do simulated errors.
 */
export async function passMemberGates(ground: Ground, x: Exchange, member: Caller): Promise<Reply | ReadyReply> {
  await requestReadable(x); //                                   body_too_large, unsupported_media_type, malformed_request
  const endpoint = openToMembers(resourceActionVerb(x)); //  7   unknown_endpoint, unknown_method, method_not_allowed
  withinRateLimit(x, await callTaken(ground, x, member)); // 8   rate_limited
  const context: Context = contextOf(ground, x, member);
  const port = actionKnown(context, endpoint); //                sandbox_only_action, sandbox_unsupported_action
  const found = await inputChecked(context, x, endpoint); // 9
  return handled(context, x, endpoint, found, port); //     11   the endpoint
}
