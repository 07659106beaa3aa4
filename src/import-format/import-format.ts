/** The door of the format of catalog imports: its file, its entries, and how a supplier's list becomes one. */
export {
  type DestinationEntry,
  formatProblem,
  HIGHEST_PRICE,
  type NetworkType,
  networkTypes,
  type OperatorEntry,
  type PlanEntry,
  type Scope,
  type SupplierEntry,
  scopes,
  supplierKinds,
} from './entries.ts';
export { feedImport } from './feed.ts';
export {
  type ImportProblem,
  ImportRefused,
  type Located,
  type RawImport,
  readImportFile,
  type SkippedRow,
  START,
} from './file.ts';
export { geography } from './geography.ts';
export { slugOf } from './slug.ts';
