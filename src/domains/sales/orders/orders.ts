/** The door of the rows of orders: their states, and every change to them, as parts of the statements that change more than an order. */
export {
  type Attempt,
  type AttemptedPlan,
  isSamePlan,
  orderAttempts,
  orderOfReference,
  supplierIn,
  supplierReferenceOf,
} from './attempts.ts';
export { type Cancel, type CancelMarks, isCancelled, orderCancels } from './cancel.ts';
export { esimCodes } from './esim-codes.ts';
export {
  isHeld,
  movedOrders,
  type OrderMove,
  orderMarks,
  watchRefilled,
} from './moved.ts';
export { insertOrders, keepQuiet, newOrderId, type Ordered, startingAttempts } from './placed.ts';
export { provisionDue } from './provision-due.ts';
export { soldIccids } from './sold-iccids.ts';
export { eventOf, type State, stateOf, states } from './transitions.ts';
export { shareDue, usageMarks } from './usage-marks.ts';
