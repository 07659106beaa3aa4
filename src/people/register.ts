import { type Sql, sql } from '../db/sql.ts';

/**
 * The tables of those who sign in with a password: the people of partners, or the operators. How a password and a second factor
 * are checked, and how failures are counted, is the same for both.
 */
export interface Register {
  /** What sets its counts of failures apart: ids and addresses of two registers may be equal. */
  readonly counted: readonly string[];
  /** With id, email and password_hash. */
  readonly people: Sql;
  /** The networks they sign in from. */
  readonly places: Sql;
  readonly factors: Sql;
  /** The column of `places` and `factors` that says whose a row is. */
  readonly id: Sql;
}

/** Those of partners: the panel's. */
export const people: Register = {
  counted: [],
  people: sql`people`,
  places: sql`sign_in_places`,
  factors: sql`second_factors`,
  id: sql`person_id`,
};
