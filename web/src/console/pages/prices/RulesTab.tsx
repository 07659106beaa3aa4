import { Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconTag } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { type Rule, rules } from '../../api/prices.ts';
import { useMay } from '../../useMay.ts';
import { PartnerPicker } from './Picker.tsx';
import { RemoveRule } from './RemoveRule.tsx';
import { NewRule } from './RuleDialog.tsx';
import { scopeName, scopes } from './scopes.ts';

const partners = (chosen: string | undefined) => [
  { value: 'general', label: 'Every partner' },
  ...(chosen && chosen !== 'general' ? [{ value: chosen, label: `Partner ${chosen}` }] : []),
];

export function RulesTab() {
  const filters = useFilters();
  const { of, goBefore, filter } = filters;
  const mayChange = useMay()('money');
  const listQuery = { scope: of('scope'), partner: of('partner'), target: of('target'), before: of('before') };
  const isFiltered = Boolean(listQuery.scope || listQuery.partner || listQuery.target);
  const found = useQuery({ ...rules(listQuery), placeholderData: keepPreviousData });
  return (
    <Section
      title="Rules"
      about="The most specific one wins: plan, then supplier, country and region. Of two alike, the partner’s own wins."
      actions={mayChange && <NewRule />}
      flush
    >
      <ListFilters
        list="price-rules"
        filters={filters}
        fields={[
          { name: 'scope', label: 'Applies to', kind: 'choice', choices: scopes },
          { name: 'partner', label: 'For', kind: 'choice', choices: partners(listQuery.partner) },
          { name: 'target', label: 'Target', kind: 'text', placeholder: 'Part of an id, code or slug' },
        ]}
      >
        <PartnerPicker
          size="xs"
          aria-label="One partner"
          placeholder="One partner: name or number"
          value={listQuery.partner === 'general' ? '' : (listQuery.partner ?? '')}
          onChange={(partner) => filter({ partner })}
        />
      </ListFilters>
      <Loaded query={found} lines={5}>
        {({ rules: rows, has_more }) => (
          <>
            {rows.length === 0 ? (
              <Empty icon={IconTag} title={isFiltered ? 'No rule matches' : 'No rules yet'}>
                {!isFiltered && 'Every partner pays by its own share or its top-up tier.'}
              </Empty>
            ) : (
              <DataTable label="Rules" columns={columns(mayChange)} rows={rows} rowKey={({ rule_id }) => rule_id} />
            )}
            <OlderPager
              shown={[rows.length, 'rule']}
              isFurther={listQuery.before !== undefined}
              hasMore={has_more}
              onNewest={() => goBefore(undefined)}
              onOlder={() => goBefore(rows.at(-1)?.rule_id)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const columns = (mayChange: boolean): Column<Rule>[] => [
  {
    label: 'Target',
    cell: ({ target, target_title }) => (
      <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" span>
          {target_title ?? target}
        </Text>
        {target_title !== null && (
          <Text size="xs" c="dimmed" span className="mono">
            {target}
          </Text>
        )}
      </Stack>
    ),
  },
  { label: 'Applies to', cell: ({ scope }) => scopeName[scope] },
  {
    label: 'For',
    cell: ({ partner_id, partner_name }) =>
      partner_name ?? (partner_id === null ? 'Every partner' : `Partner ${partner_id}`),
  },
  { label: 'Gives', kind: 'figure', cell: (rule) => <Gives rule={rule} /> },
  ...(mayChange
    ? [{ label: 'Actions', kind: 'actions' as const, cell: (rule: Rule) => <RemoveRule rule={rule} /> }]
    : []),
];

function Gives({ rule: { price, share_pct } }: { rule: Rule }) {
  return price === null ? <span className="num">{Number(share_pct)}% of the margin</span> : <Money amount={price} />;
}
