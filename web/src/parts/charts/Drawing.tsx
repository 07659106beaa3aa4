import { marksOf } from './axis.ts';
import classes from './Chart.module.css';
import { type ChartData, colourOf, type Series } from './series.ts';

export const HEIGHT = 220;
const [TOP, BOTTOM, RIGHT] = [8, 26, 8];
const CHAR_WIDTH = 7;
const NAME_WIDTH = 56;

/** Where things are, in pixels. */
export interface Frame {
  readonly left: number;
  readonly band: number;
}

/** Wide enough for the longest mark of the value axis. */
export function frameOf(data: ChartData, width: number): Frame {
  const left = Math.max(...marksOf(data).map(({ label }) => label.length)) * CHAR_WIDTH + 10;
  return { left, band: Math.max(0, width - left - RIGHT) / Math.max(1, data.points.length) };
}

interface DrawingProps {
  data: ChartData;
  width: number;
  /** The point being read. */
  read: number | undefined;
}

/** The picture alone. Screen readers get the values from the words around it. */
export function Drawing({ data, width, read }: DrawingProps) {
  const { kind, points, series } = data;
  const { left, band } = frameOf(data, width);
  const marks = marksOf(data);
  const [bottom, top] = [Math.min(0, marks[0]?.value ?? 0), marks.at(-1)?.value ?? 1];
  const height = HEIGHT - TOP - BOTTOM;
  const y = (value: number) => TOP + height - ((value - bottom) / (top - bottom)) * height;
  const nth = everyNth(points.length, band * points.length, NAME_WIDTH);
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
      {read !== undefined && (
        <rect className={classes.band} x={left + read * band} y={TOP} width={Math.max(1, band)} height={height} />
      )}
      {marks.map(({ value, label }) => (
        <g key={value}>
          <line className={classes.grid} x1={left} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
          <text className={classes.name} x={left - 8} y={y(value)} textAnchor="end" dominantBaseline="central">
            {label}
          </text>
        </g>
      ))}
      {points.map(({ short, name }, i) =>
        i % nth === 0 ? (
          <text key={name} className={classes.name} x={left + (i + 0.5) * band} y={HEIGHT - 8} textAnchor="middle">
            {short}
          </text>
        ) : null,
      )}
      {kind === 'bars' ? (
        <Bars series={series} points={points.length} left={left} band={band} y={y} />
      ) : (
        <Lines series={series} left={left} band={band} y={y} />
      )}
    </svg>
  );
}

interface Placed {
  series: readonly Series[];
  left: number;
  band: number;
  y: (value: number) => number;
}

function Bars({ series, points, left, band, y }: Placed & { points: number }) {
  const width = Math.max(1, Math.min(band * 0.72, 48));
  return Array.from({ length: points }, (_, i) => {
    let below = 0;
    return series.map(({ name, colour, values }) => {
      const value = values[i] ?? 0;
      if (value <= 0) return null;
      const [from, to] = [y(below), y(below + value)];
      below += value;
      const x = left + (i + 0.5) * band - width / 2;
      // A small value is never drawn so small that it is invisible beside a large one.
      return (
        <rect
          key={name}
          x={x}
          y={Math.min(to, from - 1)}
          width={width}
          height={Math.max(1, from - to)}
          fill={colourOf(colour)}
        />
      );
    });
  });
}

function Lines({ series, left, band, y }: Placed) {
  return series.map(({ name, colour, values }) => (
    <g key={name} stroke={colourOf(colour)} fill={colourOf(colour)}>
      <polyline
        className={classes.line}
        points={values.map((value, i) => `${left + (i + 0.5) * band},${y(value)}`).join(' ')}
      />
      {values.length <= 60 &&
        values.map((value, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value has no key but its position.
          <circle key={i} cx={left + (i + 0.5) * band} cy={y(value)} r={2.5} stroke="none" />
        ))}
    </g>
  ));
}

/** Every how many points a name fits below the axis. */
const everyNth = (points: number, width: number, nameWidth: number): number =>
  Math.max(1, Math.ceil((points * nameWidth) / Math.max(1, width)));
