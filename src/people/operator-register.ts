import { sql } from '../db/sql.ts';
import type { Register } from './register.ts';

/** The operators' passwords and second factors: another register than the people of partners. */
export const operators: Register = {
  counted: ['operator'],
  people: sql`staff`,
  places: sql`staff_places`,
  factors: sql`staff_second_factors`,
  id: sql`operator_id`,
};
