import { Kbd, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { type SearchResult, search } from '../../api/search.ts';
import { useMode } from '../../useMode.ts';
import { Result } from './Result.tsx';
import classes from './SearchDialog.module.css';
import { keyOf, pathOf } from './shown.ts';

const TYPING_MS = 150;

interface SearchDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

export function SearchDialog({ isOpen, onClose }: SearchDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Search" size="lg" padding="md" keepMounted={false}>
      <Search onDone={onClose} />
    </Modal>
  );
}

/** A text field with a list below it: arrow keys choose, Enter opens. What was typed is forgotten with the dialog. */
function Search({ onDone }: { onDone: () => void }) {
  const { mode } = useMode();
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [asked] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useQuery({ ...search(mode, asked), placeholderData: keepPreviousData });
  const results = typed.trim() === '' ? [] : (found.data?.results ?? []);
  const at = Math.min(chosen, results.length - 1);
  const isSettled = asked === typed.trim() && !found.isPlaceholderData && found.data !== undefined;

  function open(result: SearchResult | undefined) {
    if (!result) return;
    onDone();
    navigate(pathOf(result));
  }

  function press(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && results.length > 0) {
      event.preventDefault();
      setChosen((at + step + results.length) % results.length);
    }
    // While an answer is on its way, the list still shows what an earlier text found.
    if (event.key === 'Enter' && isSettled) {
      event.preventDefault();
      open(results[at]);
    }
  }

  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Order, ICCID, reference, payment"
        aria-expanded={results.length > 0}
        aria-controls={id}
        aria-activedescendant={results[at] && `${id}-${at}`}
        placeholder="Order, ICCID, reference, payment…"
        leftSection={<IconSearch size={16} />}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div id={id} role="listbox" aria-label="Results" className={classes.list}>
        {results.map((result, i) => (
          <Result
            key={keyOf(result)}
            id={`${id}-${i}`}
            result={result}
            isChosen={i === at}
            onPoint={() => setChosen(i)}
            onOpen={() => open(result)}
          />
        ))}
      </div>
      <Text size="sm" c="dimmed" px="xs" role="status">
        {found.error?.message}
        {typed.trim() === '' && (
          <>
            Finds order ids, whole ICCIDs, the beginning of a reference, idempotency keys, payments and webhook
            deliveries, in live and sandbox.{' '}
            <Text span visibleFrom="sm" fz="inherit">
              <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose, <Kbd size="xs">Enter</Kbd> opens.
            </Text>
          </>
        )}
        {typed.trim() !== '' && isSettled && results.length === 0 && 'Nothing has this id, number or reference.'}
      </Text>
    </>
  );
}
