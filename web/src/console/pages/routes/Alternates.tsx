import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '../../../parts/icons.ts';
import { plan } from '../../api/catalog.ts';
import type { PlanRouteView } from '../../api/routes.ts';
import { Cost } from '../catalog/Cost.tsx';
import { PlanPicker } from '../prices/Picker.tsx';
import classes from './Alternates.module.css';

interface AlternatesProps {
  /** The plan that is sold. */
  productId: string;
  of: PlanRouteView;
  /** Ids of plans, in the order in which they are tried. */
  chosen: readonly string[];
  choose: (ids: readonly string[]) => void;
}

/** The most alternates a route can have. */
const MOST = 20;

/** The alternates of a route in their order, and plans to add to them. */
export function Alternates({ productId, of: view, chosen, choose }: AlternatesProps) {
  const move = (from: number, to: number) => {
    const next = chosen.filter((_, i) => i !== from);
    choose([...next.slice(0, to), chosen[from] as string, ...next.slice(to)]);
  };
  const left = view.suggestions.filter(({ product_id }) => !chosen.includes(product_id));
  const affordable = left.filter(({ cost }) => cost !== null && Number(cost) <= Number(view.price));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500} component="h3">
        Alternates, in the order in which they are tried
      </Text>
      {chosen.length === 0 && (
        <Text size="sm" c="dimmed">
          None yet. Add at least one below.
        </Text>
      )}
      <ol className={classes.list} aria-label="Alternates">
        {chosen.map((id, i) => (
          <li key={id} className={classes.item}>
            <Named id={id} of={view} place={i + 1} />
            <Group gap={4} wrap="nowrap">
              <ActionIcon
                variant="default"
                size="input-xs"
                aria-label={`Ask ${id} earlier`}
                disabled={i === 0}
                onClick={() => move(i, i - 1)}
              >
                <IconArrowUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="default"
                size="input-xs"
                aria-label={`Ask ${id} later`}
                disabled={i === chosen.length - 1}
                onClick={() => move(i, i + 1)}
              >
                <IconArrowDown size={16} />
              </ActionIcon>
              <ActionIcon
                variant="default"
                size="input-xs"
                aria-label={`Leave ${id} out`}
                onClick={() => choose(chosen.filter((one) => one !== id))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
          </li>
        ))}
      </ol>
      <Group justify="space-between" mt="xs">
        <Text size="sm" fw={500} component="h3">
          Suggestions, cheapest first
        </Text>
        {affordable.length > 1 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => choose([...chosen, ...affordable.map(({ product_id }) => product_id)].slice(0, MOST))}
          >
            Add those below the list price
          </Button>
        )}
      </Group>
      {left.length === 0 ? (
        <Text size="sm" c="dimmed">
          {view.suggestions.length === 0
            ? 'No other supplier sells a plan that is at least as good.'
            : 'All suggestions are added.'}
        </Text>
      ) : (
        <ul className={`${classes.list} ${classes.long}`} aria-label="Suggestions">
          {left.map(({ product_id }) => (
            <li key={product_id} className={classes.item}>
              <Named id={product_id} of={view} />
              <ActionIcon
                variant="default"
                size="input-xs"
                aria-label={`Add ${product_id}`}
                onClick={() => choose([...chosen, product_id])}
              >
                <IconPlus size={16} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <PlanPicker
        label="Another plan"
        description="Also of the same supplier."
        placeholder="Words of its title, or its id"
        value=""
        onChange={(id) => {
          if (id !== '' && id !== productId && !chosen.includes(id)) choose([...chosen, id]);
        }}
      />
    </Stack>
  );
}

interface Known {
  readonly title: string;
  readonly supplier: string;
  readonly cost: string | null;
  readonly on_sale?: boolean;
  readonly lacks?: readonly string[];
  readonly data?: string;
  readonly days?: number;
}

function Named({ id, of: { route, suggestions, price }, place }: { id: string; of: PlanRouteView; place?: number }) {
  const near: Known | undefined =
    suggestions.find(({ product_id }) => product_id === id) ??
    route?.alternates.find(({ product_id }) => product_id === id);
  const found = useQuery({ ...plan(id), enabled: near === undefined });
  const known: Known | undefined = near ?? found.data?.plan;
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {place !== undefined && `${place}. `}
        {known?.title ?? id}
      </Text>
      {known && (
        <Group gap={6}>
          <Text size="xs" c="dimmed" span>
            {known.supplier}, {known.data !== undefined && `${known.data}, ${count(known.days ?? 0, 'day')}, `}
            {known.cost === null ? 'cost unknown' : <Cost amount={known.cost} />}
          </Text>
          {known.cost !== null && Number(known.cost) > Number(price) && (
            <Badge color="yellow">Above the list price</Badge>
          )}
          {known.on_sale === false && <Badge color="gray">Off sale</Badge>}
          {(known.lacks?.length ?? 0) > 0 && <Badge color="yellow">Less: {known.lacks?.join(', ')}</Badge>}
        </Group>
      )}
    </div>
  );
}
