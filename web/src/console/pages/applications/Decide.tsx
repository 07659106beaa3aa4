import { Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Copyable } from '../../../parts/Copy.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Refusal } from '../../../parts/server/client.ts';
import { useAction } from '../../api/actions.ts';
import { APPLICATIONS, type Application } from '../../api/applications.ts';
import { useMay } from '../../useMay.ts';
import type { Billing } from '../partners/inputs.ts';
import { billingName } from '../partners/PartnerStatus.tsx';

/** Set if the link could not be mailed. */
interface Decided {
  readonly link?: string;
}

/**
 * Approve, ask a question or reject. If somebody else decided first, the application is read again, and the error, which says who, stays
 * on the page.
 */
export function Decide({ application }: { application: Application }) {
  const client = useQueryClient();
  const may = useMay();
  const [late, setLate] = useState<Error>();
  const [link, setLink] = useState<string>();
  const isOpen = application.status === 'waiting' || application.status === 'asked';
  const decide = async (decision: Promise<Decided>) => {
    setLate(undefined);
    try {
      setLink((await decision).link);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'application_changed') {
        setLate(error);
        void client.invalidateQueries({ queryKey: APPLICATIONS });
      }
      throw error;
    }
  };
  const of = { application, decide };
  return (
    <>
      <Problem error={late} />
      {link !== undefined && (
        <Section title="Pass this link on" about="It could not be mailed. It works once and expires after seven days.">
          <Copyable value={link} what="the link" />
        </Section>
      )}
      {isOpen && (may('manage') || may('support')) && (
        <Section title="Decide" about="The applicant gets a mail with each decision.">
          <Group gap="sm" align="flex-start">
            {may('manage') && (application.kind === 'live' ? <ApproveLive {...of} /> : <ApproveSignUp {...of} />)}
            {may('support') && <Ask {...of} />}
            {may('manage') && <Reject {...of} />}
          </Group>
        </Section>
      )}
    </>
  );
}

interface DecisionProps {
  application: Application;
  decide: (decision: Promise<Decided>) => Promise<void>;
}

interface Change<Input> {
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly reset: () => void;
  readonly mutateAsync: (input: Input) => Promise<Decided>;
}

/** The action, bound to the version that was shown. */
const decision = <Input extends object>(
  { mutateAsync, ...change }: Change<Input & { readonly id: string; readonly version: string }>,
  { application: { id, version }, decide }: DecisionProps,
  input: Input,
) => ({
  ...change,
  mutateAsync: () => decide(mutateAsync({ id: String(id), version: String(version), ...input })),
});

function ApproveSignUp(of: DecisionProps) {
  const approve = useAction('application approve', APPLICATIONS);
  return (
    <ConfirmButton
      label="Approve"
      title={`Open an account for ${of.application.company}?`}
      tone="give"
      change={decision(approve, of, {})}
    >
      {of.application.email} gets a link that opens a sandbox account. Live stays closed until they apply for it.
    </ConfirmButton>
  );
}

function ApproveLive(of: DecisionProps) {
  const approve = useAction('application approve', APPLICATIONS);
  const [billing, setBilling] = useState<Billing>('prepaid');
  const [creditLimit, setCreditLimit] = useState('');
  const [marginShare, setMarginShare] = useState('');
  const isOnCredit = billing === 'postpaid';
  return (
    <ConfirmButton
      label="Approve"
      title={`Open live for ${of.application.company}?`}
      tone="give"
      isReady={!isOnCredit || creditLimit.trim() !== ''}
      change={decision(approve, of, {
        billing,
        ...(isOnCredit && { 'credit-limit': creditLimit.trim() }),
        ...(marginShare.trim() !== '' && { 'margin-share': marginShare.trim() }),
      })}
      fields={
        <Stack gap="sm">
          <NativeSelect
            label="Billing"
            data={Object.entries(billingName).map(([value, label]) => ({ value, label }))}
            value={billing}
            onChange={({ currentTarget }) => setBilling(currentTarget.value as Billing)}
          />
          {isOnCredit && (
            <TextInput
              label="Credit limit in USD"
              description="The most the partner may owe"
              inputMode="decimal"
              autoComplete="off"
              value={creditLimit}
              onChange={({ currentTarget }) => setCreditLimit(currentTarget.value)}
            />
          )}
          <TextInput
            label="Margin share in percent (optional)"
            description="A fixed share of the margin given as discount. Leave it empty to let its tier decide."
            inputMode="decimal"
            autoComplete="off"
            value={marginShare}
            onChange={({ currentTarget }) => setMarginShare(currentTarget.value)}
          />
        </Stack>
      }
    >
      The partner can create live keys and buy real eSIMs at once. Price rules for this partner can be added under
      Prices.
    </ConfirmButton>
  );
}

function Ask(of: DecisionProps) {
  const ask = useAction('application ask', APPLICATIONS);
  return (
    <Written
      change={(question) => decision(ask, of, { question })}
      field="Question"
      label="Ask back"
      title="Ask the applicant a question?"
      describes="They get it by mail"
    >
      The application waits for their answer, and then for you again.
    </Written>
  );
}

function Reject(of: DecisionProps) {
  const reject = useAction('application reject', APPLICATIONS);
  return (
    <Written
      change={(note) => decision(reject, of, { note })}
      field="Note"
      label="Reject"
      title={`Reject the application of ${of.application.company}?`}
      describes="Reason, which the applicant reads"
      isDanger
    >
      {of.application.kind === 'live'
        ? 'The partner keeps its sandbox and can apply again.'
        : 'No account is opened. They can sign up again.'}
    </Written>
  );
}

interface WrittenProps {
  change: (text: string) => ReturnType<typeof decision>;
  field: 'Question' | 'Note';
  label: string;
  title: string;
  describes: string;
  isDanger?: boolean;
  children: ReactNode;
}

/** A decision with a text that the applicant reads. */
function Written({ change, field, label, title, describes, isDanger = false, children }: WrittenProps) {
  const [text, setText] = useState('');
  return (
    <ConfirmButton
      label={label}
      title={title}
      {...(!isDanger && { tone: 'give' as const, variant: 'default' })}
      isReady={text.trim() !== ''}
      change={change(text.trim())}
      fields={
        <Textarea
          label={field}
          description={describes}
          maxLength={1_000}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          autosize
          minRows={2}
        />
      }
    >
      <Text span size="sm">
        {children}
      </Text>
    </ConfirmButton>
  );
}
