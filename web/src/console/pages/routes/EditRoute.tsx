import { Button, Checkbox, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconPlus } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { ActionInput } from '../../api/actions.ts';
import { type PlanRouteView, planRoute } from '../../api/routes.ts';
import { PlanPicker } from '../prices/Picker.tsx';
import { Alternates } from './Alternates.tsx';
import { TryThenSave } from './TryThenSave.tsx';

/** Opens the route of a plan for changing; without a plan, one is chosen first. */
export function EditRoute({
  productId,
  title,
  isNew = false,
}: {
  productId?: string;
  title?: string;
  isNew?: boolean;
}) {
  const [opened, { open, close }] = useDisclosure();
  const [picked, setPicked] = useState('');
  const id = productId ?? picked;
  const start = () => {
    setPicked('');
    open();
  };
  return (
    <>
      <Button
        size="xs"
        variant={productId === undefined ? 'filled' : 'default'}
        {...(productId === undefined && { leftSection: <IconPlus size={16} /> })}
        onClick={start}
        {...(title !== undefined && { 'aria-label': `${isNew ? 'Set route' : 'Change the route'} of ${title}` })}
      >
        {productId === undefined ? 'New route' : isNew ? 'Set route' : 'Change'}
      </Button>
      <Modal opened={opened} onClose={close} title={title === undefined ? 'New route' : `Route of ${title}`} size="xl">
        {opened && (
          <Stack>
            {productId === undefined && (
              <PlanPicker
                label="Plan that is sold"
                placeholder="Words of its title, or its id"
                value={picked}
                onChange={setPicked}
              />
            )}
            {id !== '' && <RouteOf key={id} productId={id} close={close} />}
          </Stack>
        )}
      </Modal>
    </>
  );
}

function RouteOf({ productId, close }: { productId: string; close: () => void }) {
  const found = useQuery({ ...planRoute(productId), refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY });
  return (
    <Loaded query={found} lines={6}>
      {(view) => <RouteForm productId={productId} of={view} close={close} />}
    </Loaded>
  );
}

const limits = [
  { value: 'paid', label: 'At most what the partner paid', fits: /^/ },
  { value: 'max-cost', label: 'At most an amount', fits: /^\d{1,6}(\.\d{1,6})?$/ },
  { value: 'min-margin', label: 'So that a margin is left', fits: /^\d{1,3}(\.\d{1,2})?$/ },
];
const preferences = [
  { value: 'own', label: 'The plan’s own supplier' },
  { value: 'cheapest', label: 'The cheapest of all' },
];

type Input = ActionInput<'route set'>;

interface Draft {
  readonly alternates: readonly string[];
  readonly limit: string;
  readonly amount: string;
  readonly prefer: Input['prefer'];
  readonly isForced: boolean;
}

/** What the form begins with. */
function draftOf({ route }: PlanRouteView): Draft {
  const own = route?.source === 'set' ? route : undefined;
  const limit = own?.max_cost != null ? 'max-cost' : own?.min_margin != null ? 'min-margin' : 'paid';
  return {
    alternates: own?.alternates.map(({ product_id }) => product_id) ?? [],
    limit,
    amount: own?.max_cost != null ? String(Number(own.max_cost)) : String(Number(own?.min_margin ?? 0) || ''),
    prefer: route?.prefer ?? 'own',
    isForced: own?.alternates.some(({ lacks }) => lacks.length > 0) ?? false,
  };
}

function RouteForm({ productId, of: view, close }: { productId: string; of: PlanRouteView; close: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(view));
  const { alternates, limit, amount, prefer, isForced } = draft;
  const write = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  const isUnsuggested = alternates.some((id) => !view.suggestions.some(({ product_id }) => product_id === id));
  const input: Input = {
    product: productId,
    alternates: alternates.join(','),
    prefer,
    ...(limit === 'max-cost' && { 'max-cost': amount.trim() }),
    ...(limit === 'min-margin' && { 'min-margin': amount.trim() }),
    ...(isForced && isUnsuggested && { force: true }),
  };
  return (
    <TryThenSave
      action="route set"
      input={input}
      isReady={
        alternates.length > 0 && (limits.find(({ value }) => value === limit)?.fits.test(amount.trim()) ?? false)
      }
      saveLabel="Save route"
      close={close}
    >
      <Alternates productId={productId} of={view} chosen={alternates} choose={(ids) => write({ alternates: ids })} />
      {isUnsuggested && (
        <Checkbox
          label="Also plans that are not at least as good"
          description="A traveller may get less than was sold."
          checked={isForced}
          onChange={({ currentTarget }) => write({ isForced: currentTarget.checked })}
        />
      )}
      <NativeSelect
        label="Asked first"
        data={preferences}
        value={prefer}
        onChange={({ currentTarget }) => write({ prefer: currentTarget.value as Input['prefer'] })}
      />
      <NativeSelect
        label="An alternate may cost"
        data={limits.map(({ value, label }) => ({ value, label }))}
        value={limit}
        onChange={({ currentTarget }) => write({ limit: currentTarget.value, amount: '' })}
      />
      {limit !== 'paid' && (
        <TextInput
          label={limit === 'max-cost' ? 'Highest cost in USD' : 'Margin in % of the price paid'}
          inputMode="decimal"
          autoComplete="off"
          placeholder={limit === 'max-cost' ? '4.50' : '10'}
          value={amount}
          onChange={({ currentTarget }) => write({ amount: currentTarget.value })}
        />
      )}
    </TryThenSave>
  );
}
