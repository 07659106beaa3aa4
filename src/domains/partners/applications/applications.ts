/** Requests to the operators: an account by a sign-up, and live for an existing account. */

export { askForLive, liveApplicationOf } from './live.ts';
export {
  type Application,
  applicationAlerts,
  applicationKinds,
  applicationStatuses,
  findApplication,
  type LiveDetails,
  listApplications,
  lockApplication,
  moveApplication,
} from './rows.ts';
export {
  addSignUp,
  endOtherLinks,
  linkToSignUp,
  requireLinked,
  signUpAddress,
  type TypedSignUp,
  takeUnmailed,
} from './sign-ups.ts';
export { unusedAccountsJob } from './unused.ts';
