import { Kbd, Modal, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, type QueryKey, queryOptions, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { IconSearch } from '../../parts/icons.ts';
import type { NavigationItem } from '../../parts/NavigationList.tsx';
import classes from './SearchDialog.module.css';

const TYPING_MS = 150;

interface SearchProps<Result> {
  /** Finds what matches a text. Neither the server nor the browser stores searches. */
  ask: (text: string) => {
    readonly key: QueryKey;
    readonly run: () => Promise<{ readonly results: readonly Result[] }>;
  };
  /** The page a result leads to. */
  pathOf: (result: Result) => string;
  keyOf: (result: Result) => string;
  shown: (result: Result) => ReactNode;
  /** The pages there are, and the settings on them, which are found by their names. */
  pages: readonly Place[];
  /** What is offered before anything is typed: the pages seen last, and what is done often. */
  first?: readonly Place[];
  /** What can be typed, in a few words and in a sentence. */
  label: string;
  about: string;
  nothing: string;
}

export interface Place extends NavigationItem {
  /** The page it is on, or what else it is, unless it is a page itself. */
  readonly on?: string;
  /** What it does instead of leading somewhere. */
  readonly run?: () => void;
}

/** One line of the list. */
interface Entry {
  readonly key: string;
  readonly to: string;
  readonly run?: (() => void) | undefined;
  readonly content: ReactNode;
}

interface SearchDialogProps<Result> extends SearchProps<Result> {
  isOpen: boolean;
  onClose: () => void;
}

/**
 * Mantine animates only what was mounted closed before. This code arrives when the dialog is to be open already, so it is mounted closed
 * and opens in the next frame.
 */
export function SearchDialog<Result>({ isOpen, onClose, ...search }: SearchDialogProps<Result>) {
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setMounted(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Modal
      opened={isOpen && isMounted}
      onClose={onClose}
      title="Search"
      size="lg"
      padding="md"
      keepMounted={false}
      returnFocus={false}
    >
      <Search {...search} onDone={onClose} />
    </Modal>
  );
}

/** A text field with a list below it: arrow keys choose, Enter opens. What was typed is forgotten with the dialog. */
function Search<Result>({
  ask,
  pathOf,
  keyOf,
  shown,
  pages,
  first = [],
  label,
  about,
  nothing,
  onDone,
}: SearchProps<Result> & { onDone: () => void }) {
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const { key, run } = ask(text);
  const found = useQuery({
    ...queryOptions({ queryKey: key, queryFn: run, enabled: text !== '', gcTime: 0 }),
    placeholderData: keepPreviousData,
  });
  const results =
    typed.trim() === ''
      ? first.map(asPlace)
      : [...namedPages(pages, typed), ...(found.data?.results ?? []).map(asEntry)];
  const at = Math.min(chosen, results.length - 1);
  const isSettled =
    typed.trim() === '' || (text === typed.trim() && !found.isPlaceholderData && found.data !== undefined);

  function asEntry(result: Result): Entry {
    return { key: keyOf(result), to: pathOf(result), content: shown(result) };
  }

  function open(entry: Entry | undefined) {
    if (!entry) return;
    onDone();
    if (entry.run) entry.run();
    else navigate(entry.to);
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
        aria-label={label}
        aria-expanded={results.length > 0}
        aria-controls={id}
        aria-activedescendant={results[at] && `${id}-${at}`}
        placeholder={`${label}…`}
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
          <Option
            key={result.key}
            id={`${id}-${i}`}
            isChosen={i === at}
            onPoint={() => setChosen(i)}
            onOpen={() => open(result)}
          >
            {result.content}
          </Option>
        ))}
      </div>
      <Text size="sm" c="dimmed" px="xs" role="status">
        {found.error?.message}
        {typed.trim() === '' && (
          <>
            {about}{' '}
            <Text span visibleFrom="sm" fz="inherit">
              <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> choose, <Kbd size="xs">Enter</Kbd> opens.
            </Text>
          </>
        )}
        {typed.trim() !== '' && isSettled && results.length === 0 && nothing}
      </Text>
    </>
  );
}

/** Pages in whose name every word typed begins a word. */
function namedPages(pages: readonly Place[], typed: string): Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isNamed = ({ label }: Place) => {
    const own = label.toLowerCase().split(/[\s-]+/);
    return words.every((word) => own.some((one) => one.startsWith(word)));
  };
  return pages.filter(isNamed).map(asPlace);
}

const asPlace = ({ to, label, icon: Picture, on = 'Page', run }: Place): Entry => ({
  key: `page ${to} ${label}`,
  to,
  run,
  content: <Found icon={<Picture size={18} />} headline={label} details={on} />,
});

interface OptionProps {
  id: string;
  isChosen: boolean;
  onPoint: () => void;
  onOpen: () => void;
  children: ReactNode;
}

function Option({ id, isChosen, onPoint, onOpen, children }: OptionProps) {
  const self = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) self.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
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
      {children}
    </div>
  );
}

interface FoundProps {
  icon: ReactNode;
  headline: ReactNode;
  details: ReactNode;
  /** At the right, e.g. a state. */
  children?: ReactNode;
}

/** One result. */
export const Found = ({ icon, headline, details, children }: FoundProps) => (
  <>
    {icon}
    <div className={classes.text}>
      <Text size="sm">{headline}</Text>
      <Text size="xs" c="dimmed">
        {details}
      </Text>
    </div>
    {children}
  </>
);
