import type { Suspensions } from '../../../../domains/sales/suspension/suspension.ts';
import { said } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { endpoint } from '../../endpoint.ts';
import { changedEsimSchema, changedEsimView, iccidField, requireEsim } from './rows.ts';

type Refusal = Exclude<Awaited<ReturnType<Suspensions['suspend']>>, 'done'>;

const codes = {
  not_found: 'esim_not_found',
  not_active: 'esim_not_active',
  not_supported: 'not_supported',
  unavailable: 'service_unavailable',
} as const satisfies Record<Refusal, string>;

/** Switches the service of one eSIM off or on, and answers with it. */
export const switchingEndpoint = (change: 'suspend' | 'resume', summary: string, about: string, message: string) =>
  endpoint({
    path: `/esim/${change}`,
    verb: 'POST',
    tier: 'money',
    permission: 'money',
    summary,
    about: `${about} \`service_unavailable\`: the supplier did not answer, so it may be switched or not; ask again.`,
    isExtension: true,
    fields: { iccid: iccidField },
    errors: ['esim_not_found', 'esim_not_active', 'not_supported'],
    simulated: ['iccid_required', 'esim_not_found', 'esim_not_active', 'not_supported'],
    reply: Type.Object({
      esim: changedEsimSchema,
      message: said.text('What it means for data and days.'),
    }),
    async handle(context, { iccid }) {
      const outcome = await context.world.suspensions[change](await requireEsim(context, iccid), context.now);
      if (outcome !== 'done') throw fail(codes[outcome]);
      return { body: { esim: await changedEsimView(context, iccid), message } };
    },
  });
