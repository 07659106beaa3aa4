import { Text } from '@mantine/core';
import { IconCash, IconDeviceSim, IconFileText, IconWebhook } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { SearchResult } from '../../api/search.ts';
import { ModeBadge } from '../../components/ModeBadge.tsx';
import { Money } from '../../components/Money.tsx';
import { When } from '../../components/When.tsx';
import { OrderStatus } from '../orders/OrderStatus.tsx';
import classes from './SearchDialog.module.css';

interface ResultProps {
  id: string;
  result: SearchResult;
  isChosen: boolean;
  onPoint: () => void;
  onOpen: () => void;
}

const icons = { order: IconFileText, esim: IconDeviceSim, payment: IconCash, delivery: IconWebhook };

export function Result({ id, result, isChosen, onPoint, onOpen }: ResultProps) {
  const self = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) self.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const Picture = icons[result.kind];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the text field above keeps the focus and handles the keys.
    // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant, as in every combobox.
    <div
      ref={self}
      id={id}
      role="option"
      aria-selected={isChosen}
      className={classes.option}
      onMouseMove={isChosen ? undefined : onPoint}
      onClick={onOpen}
    >
      <Picture size={18} />
      <div className={classes.text}>
        <Headline of={result} />
        <Text size="xs" c="dimmed">
          <Details of={result} />
        </Text>
      </div>
      {result.kind === 'order' && <OrderStatus state={result.state} />}
      <ModeBadge mode={result.mode} />
    </div>
  );
}

function Headline({ of }: { of: SearchResult }) {
  switch (of.kind) {
    case 'order':
      return <Text size="sm">Order {of.id}</Text>;
    case 'esim':
      return <Text size="sm">eSIM {of.iccid}</Text>;
    case 'payment':
      return (
        <Text size="sm">
          Payment of <Money amount={of.amount} />
        </Text>
      );
    case 'delivery':
      return <Text size="sm">Webhook delivery {of.id}</Text>;
  }
}

function Details({ of }: { of: SearchResult }) {
  switch (of.kind) {
    case 'order':
      return (
        <>
          {of.title}
          {of.reference && `, reference ${of.reference}`}
          {of.by === 'idempotency_key' && ', found by its idempotency key'}
        </>
      );
    case 'esim':
      return of.title;
    case 'payment':
      return (
        <>
          <When at={of.created_at} /> UTC
        </>
      );
    case 'delivery':
      return of.event;
  }
}
