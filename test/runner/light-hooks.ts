import hooks, { type HookCallbacks } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded before `node:test`, which follows every promise of a process to know to which test it belongs: a million awaits take 3.4 s of
 * processor time instead of 0.1. Only declarations need to know, and `node-test.ts` tells them. So promises are left out.
 */
const { createHook } = hooks;
hooks.createHook = (callbacks: HookCallbacks) => createHook({ ...callbacks, trackPromises: false });
syncBuiltinESMExports();
