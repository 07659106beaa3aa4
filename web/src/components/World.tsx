import { Outlet, useParams } from 'react-router';
import { isMode } from '../paths.ts';
import { Missing } from './Missing.tsx';

/** Pages under `/live` and `/sandbox`. Any other first segment is not found. */
export function World() {
  return isMode(useParams().mode) ? <Outlet /> : <Missing />;
}
