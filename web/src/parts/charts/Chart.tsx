import { Button, Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { type Column, DataTable } from '../DataTable.tsx';
import classes from './Chart.module.css';
import { Drawing, frameOf, HEIGHT } from './Drawing.tsx';
import { type ChartData, colourOf, type Series, sum, zoomed } from './series.ts';

/**
 * A chart that can be read in three ways: as a picture, value by value (with the pointer, a finger or the arrow keys; screen
 * readers hear them), and as a table.
 */
export function Chart({ data: whole }: { data: ChartData }) {
  const [isTable, setTable] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const part = zoomed(whole);
  const data = isWhole ? whole : (part ?? whole);
  const toZoom = isWhole ? 'Zoom to the data' : `Nothing before ${part?.points[0]?.name}. Show all`;
  return (
    <div className={classes.chart}>
      <Group justify="space-between" gap="xs" mb="xs" wrap="wrap">
        <Legend series={data.series} measure={data.measure} />
        <Group gap="xs" ml="auto">
          {part && (
            <Button
              size="compact-sm"
              h="auto"
              py={6}
              maw="100%"
              styles={{ label: { whiteSpace: 'normal', lineHeight: 1.4 } }}
              variant="subtle"
              aria-label={`${toZoom}: ${whole.label}`}
              onClick={() => setWhole(!isWhole)}
            >
              {toZoom}
            </Button>
          )}
          <Button
            size="compact-sm"
            h={30}
            variant="default"
            aria-label={`${isTable ? 'Show as chart' : 'Show as table'}: ${data.label}`}
            onClick={() => setTable(!isTable)}
          >
            {isTable ? 'Show as chart' : 'Show as table'}
          </Button>
        </Group>
      </Group>
      {isTable ? <AsTable data={data} /> : <Plot data={data} />}
    </div>
  );
}

function Legend({ series, measure: { format } }: Pick<ChartData, 'series' | 'measure'>) {
  if (series.length < 2) return null;
  return (
    <Group gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {series.map(({ name, colour, values, total = sum(values) }) => (
        <Group key={name} component="li" gap={6} wrap="nowrap">
          <span className={classes.key} style={{ background: colourOf(colour) }} />
          <Text size="xs" span className="num">
            {name}: {format(total)}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

function Plot({ data }: { data: ChartData }) {
  const { ref, width } = useElementSize();
  const [read, setRead] = useState<number>();
  const last = data.points.length - 1;
  const at = read === undefined || read > last ? undefined : read;

  function follow({ currentTarget, clientX }: PointerEvent) {
    const { left, band } = frameOf(data, width);
    const place = Math.floor((clientX - currentTarget.getBoundingClientRect().left - left) / Math.max(1e-9, band));
    setRead(place >= 0 && place <= last ? place : undefined);
  }

  function move(event: KeyboardEvent) {
    const to = {
      ArrowRight: Math.min(last, (at ?? -1) + 1),
      ArrowLeft: Math.max(0, (at ?? last + 1) - 1),
      Home: 0,
      End: last,
      Escape: undefined,
    };
    if (!(event.key in to)) return;
    event.preventDefault();
    setRead(to[event.key as keyof typeof to]);
  }

  return (
    <>
      <div
        ref={ref}
        className={classes.plot}
        // Drawn once its width is measured.
        style={{ minHeight: HEIGHT }}
        role="application"
        aria-roledescription="chart"
        aria-label={`${data.label}. Move through the values with the arrow keys.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: its values are read with the arrow keys.
        tabIndex={0}
        onKeyDown={move}
        onPointerMove={follow}
        onPointerDown={follow}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setRead(undefined)}
        onBlur={() => setRead(undefined)}
      >
        {width > 0 && <Drawing data={data} width={width} read={at} />}
      </div>
      <p className={classes.readout} aria-live="polite" style={{ margin: 0 }}>
        {at !== undefined && <Readout data={data} at={at} />}
      </p>
    </>
  );
}

function Readout({
  data: {
    points,
    series,
    measure: { format },
  },
  at,
}: {
  data: ChartData;
  at: number;
}) {
  const shown = series.filter(({ values }) => series.length === 1 || (values[at] ?? 0) !== 0);
  return (
    <>
      <strong>{points[at]?.name}</strong>
      {': '}
      {shown.length === 0
        ? format(0)
        : shown.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(', ')}
    </>
  );
}

interface Line {
  readonly name: string;
  readonly at: number;
}

function AsTable({ data: { label, pointsLabel, points, series, measure } }: { data: ChartData }) {
  const columnOf = ({ name, values }: Series): Column<Line> => ({
    label: name,
    kind: 'figure',
    cell: ({ at }) => <span className="num">{measure.format(values[at] ?? 0)}</span>,
  });
  return (
    <DataTable
      label={label}
      columns={[{ label: pointsLabel, cell: ({ name }) => name }, ...series.map(columnOf)]}
      rows={points.map(({ name }, at) => ({ name, at }))}
      rowKey={({ at }) => at}
    />
  );
}
