// Made by `npm run sdk` from the description of the API. Do not edit.
export const VERSION = '0.1.0';
