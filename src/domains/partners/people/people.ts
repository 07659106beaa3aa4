/** People who sign in: members to the panel, operators to the console; and operators who view a partner's panel. */
export type { Access, Self } from './access.ts';
export type { LinkHolder } from './links.ts';
export {
  type Account,
  type MemberLinkHolder,
  memberAccess,
  type PartnerView,
  partnerViews,
  type Session,
} from './member-access.ts';
export { type Member, members, type NewMember, requireEmail } from './members.ts';
export {
  needsSecondFactor,
  type Operator,
  type OperatorSession,
  operatorAccess,
  operators,
  visits,
} from './operators.ts';
export type { LinkUse } from './passwords.ts';
export { linkToken } from './register.ts';
export {
  memberRoles,
  type OperatorPermission,
  type OperatorRole,
  operatorRoles,
  type Permission,
  type Role,
} from './roles.ts';
export type { SecondFactor } from './second-factor.ts';
export { FRESH_MS, type OpenSession } from './sessions.ts';
