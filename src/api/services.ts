/** The domain services endpoints call, wired once in `app.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: each capability adds its door here.
export interface Services {}
