/** The door of the format of catalog imports: its file, its entries, and how a supplier's list becomes one. */
export {
  type DestinationEntry,
  formatProblem,
  type OperatorEntry,
  type PlanEntry,
  type SupplierEntry,
} from './entries.ts';
export {
  feedImport,
  firstJsonError,
  type ImportProblem,
  ImportRefused,
  type Located,
  type RawImport,
  readImportFile,
  type SkippedRow,
  START,
} from './file.ts';
export { countryCodes, geography, slugOf } from './geography.ts';
export {
  HIGHEST_PRICE,
  MOST_DESTINATIONS,
  MOST_PLANS,
  type NetworkType,
  networkTypes,
  type Scope,
  scopes,
  supplierKinds,
} from './vocabulary.ts';
