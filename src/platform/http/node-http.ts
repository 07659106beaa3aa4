/**
 * Node's own HTTP, asked for instead of imported. An import reads every name that a built-in module has, and behind one of this one's,
 * `WebSocket`, is all of `fetch`: 14 MB and some 40 ms for something that we call by undici's own package.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http');
