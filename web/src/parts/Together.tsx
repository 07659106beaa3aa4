import { Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { Waiting } from './Loaded.tsx';
import { CardShape } from './shapes.tsx';
import classes from './Together.module.css';

/** How long to wait for the first answer, and from then on for the others. What is missing after that appears in its own time. */
const FIRST_MS = 3_000;
const OTHERS_MS = 1_000;

interface TogetherProps {
  /** In place of the content, and about as it will look. */
  shape?: ReactNode;
  children: ReactNode;
}

/**
 * The content of a page, shown once all that it reads first has been answered or refused, so that no notice or figure that comes later
 * pushes down what was shown earlier. Until then there is a placeholder. A page that was visited before is shown at once, and reading
 * again hides nothing.
 */
export function Together({ shape = <CardShape />, children }: TogetherProps) {
  const content = useRef<HTMLDivElement>(null);
  const [isHeld, setHeld] = useState(false);
  const { pathname } = useLocation();
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page, even if the component is the same.
  useLayoutEffect(() => {
    let end = performance.now() + FIRST_MS;
    let mostAsked = 0;
    let frame = 0;
    const look = () => {
      const now = performance.now();
      // Also those of parts that show nothing until they know.
      const asked = client.isFetching({ predicate: ({ state }) => state.data === undefined });
      if (asked < mostAsked) end = Math.min(end, now + OTHERS_MS);
      mostAsked = Math.max(mostAsked, asked);
      const isEarly = now < end && (asked > 0 || content.current?.querySelector('[aria-busy=true]') != null);
      setHeld(isEarly);
      if (isEarly) frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [client, pathname]);
  return (
    <div className={classes.place}>
      {isHeld && <Waiting>{shape}</Waiting>}
      <Stack ref={content} gap="lg" className={isHeld ? classes.held : undefined}>
        {children}
      </Stack>
    </div>
  );
}
