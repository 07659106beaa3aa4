/** Requests to the operators: an account by a sign-up, and live for an existing account. */

export {
  type Application,
  applicationAlerts,
  applicationKinds,
  applicationStatuses,
  askForLive,
  findApplication,
  type LiveDetails,
  listApplications,
  liveApplicationOf,
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
