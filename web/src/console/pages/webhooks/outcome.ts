/** The result of the last attempt. */
export const outcome = (httpStatus: number | null, error: string): string =>
  [httpStatus === null ? '' : `HTTP ${httpStatus}`, error].filter(Boolean).join(', ') || 'No answer';
