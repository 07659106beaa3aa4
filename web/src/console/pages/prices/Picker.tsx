import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { plans } from '../../api/catalog.ts';
import { partnersOffered } from '../../api/prices.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface PickerProps {
  label?: string;
  /** In place of a label. */
  'aria-label'?: string;
  description?: string;
  placeholder?: string;
  size?: 'xs' | 'sm';
  value: string;
  onChange: (value: string) => void;
}

const WAIT_MS = 200;

/** A choice among too many to list: the server searches for the typed text. */
function Picker({
  offered,
  onSearch,
  ...props
}: PickerProps & { offered: readonly Choice[]; onSearch: (text: string) => void }) {
  const { value, onChange, ...shown } = props;
  const [chosen, setChosen] = useState<Choice>();
  // The chosen option must stay among the options, whatever is searched for now.
  const known = value === '' ? undefined : chosen?.value === value ? chosen : { value, label: value };
  const isMissing = known && !offered.some((one) => one.value === known.value);
  return (
    <Select
      {...shown}
      searchable
      clearable
      data={[...(isMissing ? [known] : []), ...offered]}
      filter={({ options }) => options}
      value={value === '' ? null : value}
      onSearchChange={onSearch}
      onChange={(next) => {
        setChosen(offered.find((one) => one.value === next));
        onChange(next ?? '');
      }}
      nothingFoundMessage="Nothing found"
    />
  );
}

export function PartnerPicker(props: PickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, WAIT_MS);
  const found = useQuery({ ...partnersOffered(withoutNumber(search)), placeholderData: keepPreviousData });
  const offered = (found.data?.partners ?? []).map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }));
  return <Picker {...props} offered={offered} onSearch={setTyped} />;
}

/** On entering the field again its text is the label of the choice; search for the name in it. */
const withoutNumber = (text: string): string => text.replace(/ \(\d+\)$/, '');

export function PlanPicker(props: PickerProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, WAIT_MS);
  const q = search.replace(/^.*, (esc_\w+)$/, '$1');
  const found = useQuery({ ...plans({ q }), placeholderData: keepPreviousData });
  const offered = (found.data?.plans ?? []).slice(0, 20).map(({ product_id, title, supplier }) => ({
    value: product_id,
    label: `${title}, ${supplier}, ${product_id}`,
  }));
  return <Picker {...props} offered={offered} onSearch={setTyped} />;
}
