export {
  createAiraloNotices,
  type ExpectedNotice,
  expectNotices,
  type NoticeKind,
  noteForAiralo,
  noticeKinds,
  phpJson,
  signatureOf,
  wantsLowData,
} from './notices.ts';
export { airaloNoticesJob, pruneAiraloJob } from './sending.ts';
