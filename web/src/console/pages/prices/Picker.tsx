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

/** One of too many to list: the server looks for what is typed. */
function Picker({
  offered,
  onSearch,
  ...props
}: PickerProps & { offered: readonly Choice[]; onSearch: (text: string) => void }) {
  const { value, onChange, ...shown } = props;
  const [chosen, setChosen] = useState<Choice>();
  // What was chosen has to be among the options, whatever is looked for now.
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
  const [sought] = useDebouncedValue(typed, WAIT_MS);
  const found = useQuery({ ...partnersOffered(withoutNumber(sought)), placeholderData: keepPreviousData });
  const offered = (found.data?.partners ?? []).map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }));
  return <Picker {...props} offered={offered} onSearch={setTyped} />;
}

/** The text of a choice is searched for when the field is entered again: then its name is meant. */
const withoutNumber = (text: string): string => text.replace(/ \(\d+\)$/, '');

export function PlanPicker(props: PickerProps) {
  const [typed, setTyped] = useState('');
  const [sought] = useDebouncedValue(typed, WAIT_MS);
  const q = sought.replace(/^.*, (esc_\w+)$/, '$1');
  const found = useQuery({ ...plans({ q }), placeholderData: keepPreviousData });
  const offered = (found.data?.plans ?? []).slice(0, 20).map(({ product_id, title, supplier }) => ({
    value: product_id,
    label: `${title}, ${supplier}, ${product_id}`,
  }));
  return <Picker {...props} offered={offered} onSearch={setTyped} />;
}
