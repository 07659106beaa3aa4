import { useLocalStorage } from '@mantine/hooks';
import { useLocation, useNavigate } from 'react-router';
import { inOtherWorld, isMode, type Mode } from './paths.ts';

/** The world a page shows is in its address. Pages without one (keys, settings) keep the world visited last. */
export function useMode(): { mode: Mode; switchTo: (mode: Mode) => void } {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const [last, setLast] = useLocalStorage<Mode>({
    key: 'wayfare-mode',
    defaultValue: 'sandbox',
    getInitialValueInEffect: false,
    deserialize: (text) => (isMode(text) ? text : 'sandbox'),
    serialize: (mode) => mode,
  });
  const named = pathname.split('/')[1];
  return {
    mode: isMode(named) ? named : last,
    switchTo(mode) {
      setLast(mode);
      if (isMode(named)) navigate(inOtherWorld(pathname, mode));
    },
  };
}
