/*
 * The door of the archive: whole years of the live ledger, moved out of the database into signed files.
 *
 * What goes. The charges of orders that are finished, the refunds of those that failed, and the double entries behind both: nearly every
 * line there is. An order is finished if it was delivered and never refunded, or failed and got everything back, and all of its charge and
 * refunds lie in archived months. Everything else stays: the orders themselves, top-ups, payments, corrections, revenue shares, and all
 * lines of orders that were refunded after their delivery, because a second refund reads the first.
 *
 * What stays in its place. For each book the last archived line and the balance it left (`archived_books`), for each partner the sums of
 * the transfers that went (`archived_transfers`), for each closed month what it sold (`archived_closings`). The proof of the ledger counts
 * them in, so it finds as much as before: wallets are archived sums and remaining transfers, the orders without a charge add up to the
 * archived charges, invoices to the months.
 *
 * In which order, for one year (`archiveYear` in archive-year.ts):
 *
 * 1. One snapshot: what is open is refused, the ledger is proved, the year's lines are written to a file with a signature, and the file is synced.
 * 2. In one transaction the file is read back and proved, and what it says was taken is compared with the database, row by row, and
 *    deleted. The sums are written, the whole ledger is proved, and only then it commits.
 *
 * Killed before the commit, nothing happened but that a file exists, which the next run writes again. Killed after it, the year is
 * archived. Purchases go on all the while: at the very end the wallets are locked for a moment, to see that nobody has refunded an order of
 * the year meanwhile.
 */

export { type ArchivedYear, archiveYear, countTo, yearsBefore } from './archive-year.ts';
export { type ComparedArchives, compareArchives } from './compare.ts';
export type { ArchivedDocuments, ArchiveParts } from './parts.ts';
