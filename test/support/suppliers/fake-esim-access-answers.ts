import type { Reply } from './fake-http.ts';

/** Answers in the shapes of eSIM Access. Refusals are HTTP 200, too. */
export const ok = (obj: unknown): Reply => ({
  status: 200,
  body: { success: true, errorCode: '0', errorMsg: null, obj },
});
export const no = (errorCode: string | number, errorMsg = 'no'): Reply => ({
  status: 200,
  body: { success: false, errorCode, errorMsg },
});
