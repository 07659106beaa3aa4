import { type FocusEvent, type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

const TYPING_MS = 400;

/**
 * A text field whose value is kept elsewhere, e.g. in the address. What is typed is applied after a pause, with Enter, or when the
 * field is left. Until then the field shows what is typed; a value that changes from elsewhere (Clear, the browser's
 * back button) replaces it.
 *
 * `apply` gets `further` for all changes but the first since the field was entered. `isWhole` says whether a text can be applied:
 * while a year is typed, browsers report a wrong date after each digit.
 */
export function useTyped(
  value: string,
  apply: (text: string, how?: 'further') => void,
  isWhole: (text: string) => boolean = () => true,
) {
  const [typed, setTyped] = useState<string>();
  const timer = useRef<number>(undefined);
  const applied = useRef(new Set<string>());
  useLayoutEffect(() => {
    if (applied.current.has(value)) return;
    window.clearTimeout(timer.current);
    setTyped(undefined);
  }, [value]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  const send = (text: string) => {
    window.clearTimeout(timer.current);
    const next = text.trim();
    if (next === ([...applied.current].at(-1) ?? value) || !isWhole(next)) return;
    const isFirst = applied.current.size === 0;
    applied.current.delete(next);
    applied.current.add(next);
    apply(next, isFirst ? undefined : 'further');
  };
  return {
    value: typed ?? value,
    onChange: ({ currentTarget: { value: text } }: { currentTarget: { value: string } }) => {
      setTyped(text);
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(send, TYPING_MS, text);
    },
    onKeyDown: ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
      if (key === 'Enter') send(currentTarget.value);
    },
    onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
      send(currentTarget.value);
      applied.current.clear();
      setTyped(undefined);
    },
  };
}
