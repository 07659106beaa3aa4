import type { Queryable, Tx } from '../db/database.ts';
import type { Vault } from '../vault/secrets.ts';
import { operators } from './operator-register.ts';
import type { OperatorRole } from './operator-roles.ts';
import type { OperatorDoor } from './operator-sign-in.ts';
import {
  findSecondFactor,
  guarded,
  renewRecoveryCodes,
  requireCode,
  type SecondFactor,
  startSecondFactor,
  turnOff,
  turnOn,
} from './second-factor.ts';

/** Those who can move money or change who can. */
const guardedRoles: readonly OperatorRole[] = ['admin', 'finance'];

/** On one's own machine the second factor is a choice; as soon as others can reach the console, these roles need it. */
export const needsSecondFactor = (role: OperatorRole, panelUrl: URL): boolean =>
  guardedRoles.includes(role) && !['localhost', '127.0.0.1', '[::1]'].includes(panelUrl.hostname);

/** The second factor of members (`people/second-factor.ts`), on the operators' register. */
export const operatorFactor = {
  find: (db: Queryable, operatorId: number): Promise<SecondFactor> => findSecondFactor(db, operatorId, operators),
  start: (tx: Tx, vault: Vault, operatorId: number, email: string) =>
    startSecondFactor(tx, vault, operatorId, email, operators),
  turnOn: (tx: Tx, vault: Vault, operatorId: number, code: string, now: number) =>
    turnOn(tx, vault, operatorId, code, now, operators),
  renewCodes: (tx: Tx, operatorId: number) => renewRecoveryCodes(tx, operatorId, operators),
  turnOff: (tx: Tx, operatorId: number) => turnOff(tx, operatorId, operators),
  isOn: async (db: Queryable, operatorId: number) => (await guarded(db, [operatorId], operators)).length > 0,
  requireCode: (door: OperatorDoor, operatorId: number, code: string | undefined, now: number) =>
    requireCode(door, [operatorId], code, now, operators),
};
