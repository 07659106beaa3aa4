/** The accounts of partners: opened, changed, closed, listed and found. Their keys are in `keys/`, their members in `people/`. */
export {
  type BillingMode,
  createPartner,
  deletePartner,
  findPartner,
  listPartners,
  openLive,
  type Partner,
  partnerNames,
  requireOpenPartner,
  SANDBOX_OPENING,
  setPartner,
} from './partner.ts';
export { type ListedPartner, type PartnerState, partnerStates, partnersNamed, searchPartners } from './partner-list.ts';
