import { inUsd } from '../../../actions/action.ts';
import type { TrialBalance } from '../../../domains/insight/figures/figures.ts';
import type { LedgerAccount } from '../../../domains/money/ledger/ledger.ts';
import { type Drift, lastProof, latestProofs, type ProofRow } from '../../../domains/money/proof/proof.ts';
import { type Cents, formatCents, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import { iso, jsonOf } from '../../site/json/action.ts';
import { csvDownload } from '../../site/json/csv.ts';
import { filtersFrom, monthOf } from '../../site/json/filters.ts';
import { type OperatorCall, operatorFile, operatorRead } from '../action.ts';

export const trialBalanceActions = [
  operatorRead('/operator/api/money/trial-balance', trialBalance),
  operatorFile('/operator/api/money/trial-balance.csv', async (call) => {
    const { mode, month, accounts, total } = await trialBalance(call);
    async function* rows() {
      for (const { account, debits, credits, balance } of accounts) yield [account, debits, credits, balance];
      yield ['total', total.debits, total.credits, total.balance];
    }
    const name = `trial-balance-${mode}-${month ?? new Date(call.now).toISOString().slice(0, 10)}`;
    return csvDownload(name, ['account', 'debits_usd', 'credits_usd', 'balance_usd'], rows());
  }),
];

/** Of one world, at the end of a month; the running month goes up to now, and can be compared with the wallets. */
async function trialBalance(call: OperatorCall) {
  const filters = filtersFrom(call, 'invalid_input');
  const mode = filters.mode();
  const range = filters.month(call.now);
  const end = range && range.to.getTime() <= call.now ? range.to : undefined;
  const found = await call.context.worlds[mode].insight.trialBalance(end);
  return { mode, month: range ? monthOf(range.from) : null, ...balanceView(found) };
}

/** Accounts that grow when they are debited: what we are owed, what we have received, and what we have spent. */
const GROWS_BY_DEBIT: readonly LedgerAccount[] = [
  'receivable',
  'card_clearing',
  'bank_clearing',
  'promo_expense',
  'share_expense',
  'adjustment',
  'play_money',
];

const sum = (amounts: readonly Cents[]): Cents => toCents(amounts.reduce((all: bigint, one) => all + one, ZERO));

function balanceView({ accounts, wallets }: TrialBalance) {
  const [debits, credits] = [sum(accounts.map((one) => one.debits)), sum(accounts.map((one) => one.credits))];
  const shown = accounts.map(({ account, debits, credits }) => ({
    account,
    ...inUsd({ debits, credits }, 'debits', 'credits'),
    /** Debits less credits: the column adds up to zero. */
    balance: formatCents(toCents(debits - credits)),
    grows_by: GROWS_BY_DEBIT.includes(account) ? ('debit' as const) : ('credit' as const),
  }));
  const differences =
    wallets === null
      ? []
      : (['cash', 'promo', 'receivable'] as const).flatMap((account) => {
          const one = accounts.find((entry) => entry.account === account);
          const [debit, credit] = [one?.debits ?? ZERO, one?.credits ?? ZERO];
          const inLedger = toCents(account === 'receivable' ? debit - credit : credit - debit);
          const inWallets = wallets[account];
          return inLedger === inWallets
            ? []
            : [{ account, in_ledger: formatCents(inLedger), in_wallets: formatCents(inWallets) }];
        });
  return {
    accounts: shown,
    total: {
      ...inUsd({ debits, credits }, 'debits', 'credits'),
      balance: formatCents(toCents(debits - credits)),
    },
    /** Debits equal credits, and the partners' accounts equal their wallets. */
    adds_up: debits === credits && differences.length === 0,
    /** The wallets as they are were compared; at the end of a past month they cannot be. */
    compared: wallets !== null,
    differences,
  };
}

const SHOWN = 10;

/** The proofs of the ledger: the last result with its age, the one that runs, and those before. */
export const proofActions = [operatorRead('/operator/api/money/proofs', proofs)];

async function proofs({ now, context: { db } }: OperatorCall) {
  const [latest, last] = await Promise.all([latestProofs(db, SHOWN), lastProof(db)]);
  return {
    last: last ? proofView(last, now) : null,
    open: latest.filter(({ finishedAt }) => finishedAt === null).map((one) => proofView(one, now))[0] ?? null,
    latest: latest.filter(({ finishedAt }) => finishedAt !== null).map((one) => proofView(one, now)),
  };
}

const proofView = (proof: ProofRow, now: number) => ({
  by: proof.requestedBy,
  asked_at: iso(proof.requestedAt),
  ...jsonOf(proof, 'id', 'startedAt', 'done', 'total', 'finishedAt', 'error'),
  age_seconds: secondsFrom(proof.finishedAt, new Date(now)),
  seconds: secondsFrom(proof.startedAt, proof.finishedAt),
  result: proof.result as ProofResult | null,
});

const secondsFrom = (start: Date | null, end: Date | null): number | null =>
  start && end && Math.max(0, Math.round((end.getTime() - start.getTime()) / 1000));

/** As JSON keeps it: counts are numbers, amounts texts. */
interface ProofResult {
  readonly ok: boolean;
  readonly live: ProvedWorld;
  readonly sandbox: ProvedWorld;
}
type ProvedWorld = Readonly<Record<'orders' | 'movements' | 'transfers', number>> & {
  readonly drift: readonly Drift[];
};
