import { Outlet, useParams } from 'react-router';
import { Missing } from '../parts/Missing.tsx';
import { isMode } from '../parts/mode.ts';

/** Pages under `/live` and `/sandbox`. Any other first segment is not found. */
export function World() {
  return isMode(useParams().mode) ? <Outlet /> : <Missing />;
}
