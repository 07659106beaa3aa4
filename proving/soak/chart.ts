import type { Series } from './flat.ts';

const [WIDTH, HEIGHT, LEFT, TOP] = [260, 90, 16, 34];
const COLUMNS = 3;
const [CELL_WIDTH, CELL_HEIGHT] = [WIDTH + 2 * LEFT, HEIGHT + TOP + 22];

const short = (value: number): string => (value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(1));
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A small chart for each figure, from zero to its highest value. The colours follow the reader's theme. */
export function chart(series: readonly Series[], minutes: number): string {
  const rows = Math.ceil(series.length / COLUMNS);
  const cells = series.map((one, i) => {
    const [x, y] = [(i % COLUMNS) * CELL_WIDTH + LEFT, Math.floor(i / COLUMNS) * CELL_HEIGHT];
    return `<g transform="translate(${x} ${y})">${cell(one, minutes)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${COLUMNS * CELL_WIDTH} ${rows * CELL_HEIGHT}" role="img" aria-label="Figures of a long run, over ${minutes} minutes">
<style>
  text { font: 11px system-ui, sans-serif; fill: #444 }
  .name { font-weight: 600; fill: #111 }
  .frame { fill: none; stroke: #ccc }
  .line { fill: none; stroke: #0b6e4f; stroke-width: 1.5 }
  .back { fill: #fff }
  @media (prefers-color-scheme: dark) {
    text { fill: #bbb } .name { fill: #eee } .frame { stroke: #444 } .line { stroke: #5fd3a8 } .back { fill: #16181b }
  }
</style>
<rect class="back" width="100%" height="100%"/>
${cells.join('\n')}
</svg>
`;
}

function cell({ name, unit, values }: Series, minutes: number): string {
  const highest = Math.max(...values, 1e-9);
  const points = values.map((value, i) => {
    const x = values.length < 2 ? 0 : (i / (values.length - 1)) * WIDTH;
    return `${x.toFixed(1)},${(TOP + HEIGHT - (value / highest) * HEIGHT).toFixed(1)}`;
  });
  return [
    `<text class="name" y="${TOP - 10}">${escaped(name)}</text>`,
    `<text x="${WIDTH}" y="${TOP - 10}" text-anchor="end">highest ${short(highest)} ${escaped(unit)}</text>`,
    `<rect class="frame" y="${TOP}" width="${WIDTH}" height="${HEIGHT}"/>`,
    `<polyline class="line" points="${points.join(' ')}"/>`,
    `<text y="${TOP + HEIGHT + 14}">0</text><text x="${WIDTH}" y="${TOP + HEIGHT + 14}" text-anchor="end">${minutes} min</text>`,
  ].join('');
}
