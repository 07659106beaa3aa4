import { Skeleton } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { Suspense, useEffect, useState } from 'react';
import { part } from '../later.tsx';
import type { ChartData } from './series.ts';

const Chart = part(async () => (await import('./Chart.tsx')).Chart);

/** As high as a chart, so that the page does not jump. */
const HEIGHT = 284;

/** Fetches the charts' code with the first one, and draws each when it comes into view. */
export function LazyChart({ data }: { data: ChartData }) {
  const { ref, inViewport } = useInViewport();
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (inViewport) setSeen(true);
  }, [inViewport]);
  const placeholder = <Skeleton height={HEIGHT} aria-hidden="true" />;
  return (
    <div ref={ref}>
      {wasSeen ? (
        <Suspense fallback={placeholder}>
          <Chart data={data} />
        </Suspense>
      ) : (
        placeholder
      )}
    </div>
  );
}
