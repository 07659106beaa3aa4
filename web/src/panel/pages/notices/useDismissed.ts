import { useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Mode } from '../../../parts/mode.ts';
import { me } from '../../api/session.ts';

const NOT = '';

/**
 * Whether this browser's reader has dismissed a notice as it stands. When its cause is gone the notice is not drawn, and what was
 * dismissed is forgotten (`useForgotten`), so the same trouble is shown again when it comes back.
 */
export function useDismissed(mode: Mode, name: string, state: string): readonly [boolean, () => void] {
  const [dismissed, setDismissed] = useStored(mode);
  return [dismissed[name] === state, () => setDismissed((all) => ({ ...all, [name]: state }))];
}

/** Forgets dismissed notices that are gone or are now about something else; `states` has the current ones. */
export function useForgotten(mode: Mode, states: Readonly<Record<string, string | undefined>>): void {
  const [dismissed, setDismissed] = useStored(mode);
  const over = Object.keys(states).filter(
    (name) => (dismissed[name] ?? NOT) !== NOT && states[name] !== dismissed[name],
  );
  const names = over.join();
  useEffect(() => {
    if (names === '') return;
    setDismissed((all) => ({ ...all, ...Object.fromEntries(names.split(',').map((name) => [name, NOT])) }));
  }, [names, setDismissed]);
}

function useStored(mode: Mode) {
  const account = useQuery(me).data?.partner.id ?? 0;
  return useLocalStorage<Readonly<Record<string, string>>>({
    key: `wayfare-dismissed-${account}-${mode}`,
    defaultValue: {},
    getInitialValueInEffect: false,
    deserialize: (text) => {
      try {
        return JSON.parse(text ?? '{}') ?? {};
      } catch {
        return {};
      }
    },
  });
}
