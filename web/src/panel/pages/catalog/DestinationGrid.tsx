import { Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { count } from '../../../parts/count.ts';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import type { DestinationView } from '../../api/catalog.ts';
import { paths } from '../../paths.ts';
import classes from './DestinationGrid.module.css';

const SHOWN = 60;

interface DestinationGridProps {
  mode: Mode;
  all: readonly DestinationView[];
  search: string;
}

/** Regions and the world first: they are few, and easily overlooked among the countries. */
export function DestinationGrid({ mode, all, search }: DestinationGridProps) {
  const [isAll, setAll] = useState(false);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all.filter(
    ({ title, code }) =>
      words.some((word) => title.toLowerCase().includes(word) || code.toLowerCase() === word) || words.length === 0,
  );
  const sorted = [
    ...found.filter(({ scope }) => scope !== 'country'),
    ...found.filter(({ scope }) => scope === 'country'),
  ];
  if (sorted.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {all.length === 0 ? 'Nothing is on sale at the moment.' : 'No destination has this name.'}
      </Text>
    );
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }} spacing="xs" component="ul" p={0} m={0} className={classes.list}>
        {(isAll ? sorted : sorted.slice(0, SHOWN)).map((one) => (
          <li key={one.code}>
            <Link to={paths.destination(mode, one.code)} className={classes.destination}>
              <img src={one.image} width={28} height={21} alt="" className="flag" loading="lazy" />
              <div>
                <Text size="sm" fw={500}>
                  {one.title}
                </Text>
                <Text size="xs" c="dimmed">
                  {one.plans > 0 && count(one.plans, 'plan')}
                  {one.refills > 0 && `${one.plans > 0 ? ', ' : ''}${count(one.refills, 'refill')}`}
                  {one.from !== null && (
                    <>
                      , from <Money amount={one.from} />
                    </>
                  )}
                </Text>
              </div>
            </Link>
          </li>
        ))}
      </SimpleGrid>
      {sorted.length > SHOWN && (
        <Group mt="md">
          <Button size="xs" variant="default" onClick={() => setAll(!isAll)}>
            {isAll ? `Show the first ${SHOWN}` : `Show all ${count(sorted.length, 'destination')}`}
          </Button>
        </Group>
      )}
    </>
  );
}
