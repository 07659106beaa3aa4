import { Outlet, useParams } from 'react-router';
import { isMode } from '../paths.ts';
import { Missing } from './Missing.tsx';

/** Pages below `/live` and `/sandbox`; there is no third world. */
export function World() {
  return isMode(useParams().mode) ? <Outlet /> : <Missing />;
}
