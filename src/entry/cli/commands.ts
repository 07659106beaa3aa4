import { applicationCommands } from './application.ts';
import { auditCommands } from './audit.ts';
import { catalogCommands } from './catalog.ts';
import { changesCommands } from './changes.ts';
import type { Command } from './command.ts';
import { incidentCommands } from './incident.ts';
import { keyCommands } from './key.ts';
import { mailCommands } from './mail.ts';
import { memberCommands } from './member.ts';
import { noteCommands } from './note.ts';
import { operatorCommands } from './operators.ts';
import { orderCommands } from './order.ts';
import { orderActionCommands } from './order-actions.ts';
import { partnerCommands } from './partner.ts';
import { priceQuestions } from './price-questions.ts';
import { pricingCommands } from './pricing.ts';
import { refundCommands } from './refund.ts';
import { refundManyCommands } from './refund-many.ts';
import { revenueShareCommands } from './revenue-share.ts';
import { routeCommands } from './route.ts';
import { sandboxCommands } from './sandbox.ts';
import { secretCommands } from './secret.ts';
import { stockCommands } from './stock.ts';
import { supplierCommands } from './supplier.ts';
import { supplierAccountCommands } from './supplier-account.ts';
import { topupCommands } from './topup.ts';
import { usageCommands } from './usage.ts';
import { walletCommands } from './wallet.ts';
import { webhookCommands } from './webhook.ts';

/** Every operator command. `start` and `migrate` live in src/program.ts. */
export const commands: readonly Command[] = [
  ...partnerCommands,
  ...keyCommands,
  ...memberCommands,
  ...operatorCommands,
  ...applicationCommands,
  ...mailCommands,
  ...walletCommands,
  ...catalogCommands,
  ...pricingCommands,
  ...priceQuestions,
  ...webhookCommands,
  ...orderCommands,
  ...orderActionCommands,
  ...noteCommands,
  ...refundCommands,
  ...refundManyCommands,
  ...supplierAccountCommands,
  ...supplierCommands,
  ...stockCommands,
  ...routeCommands,
  ...incidentCommands,
  ...usageCommands,
  ...sandboxCommands,
  ...auditCommands,
  ...changesCommands,
  ...topupCommands,
  ...revenueShareCommands,
  ...secretCommands,
];
