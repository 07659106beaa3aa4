import { readLocalStorageValue, useSessionStorage } from '@mantine/hooks';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { isMode, type Mode, modeIn } from '../parts/mode.ts';
import { inOtherWorld } from './paths.ts';

const KEY = 'wayfare-mode';
const deserialize = (text: string | undefined): Mode => (isMode(text) ? text : 'sandbox');

/**
 * The world a page shows is in its address. Account pages (keys, settings) have none in theirs: they keep the world this tab
 * came from, whatever other tabs do. A new tab starts in the world visited last.
 */
function useLastMode() {
  return useSessionStorage<Mode>({
    key: KEY,
    defaultValue: readLocalStorageValue<Mode>({ key: KEY, defaultValue: 'sandbox', deserialize }),
    getInitialValueInEffect: false,
    deserialize,
    serialize: (mode) => mode,
  });
}

export function useMode(): { mode: Mode; named: Mode | undefined; switchTo: (mode: Mode) => void } {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [last, setLast] = useLastMode();
  const named = modeIn(pathname);
  return {
    mode: named ?? last,
    named,
    switchTo(mode) {
      setLast(mode);
      if (named) navigate(inOtherWorld(pathname, mode));
    },
  };
}

/** Called once, around all pages: remembers the world for account pages and for the next tab. */
export function useRememberMode(): Mode {
  const { mode } = useMode();
  const [, setLast] = useLastMode();
  useEffect(() => {
    setLast(mode);
    try {
      window.localStorage.setItem(KEY, mode);
    } catch {
      // If the browser stores nothing, the next tab starts in the sandbox.
    }
  }, [mode, setLast]);
  return mode;
}
