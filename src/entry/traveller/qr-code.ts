import { LRUCache } from 'lru-cache';
import { encode } from 'uqr';
import { Html } from '../site/pages/html.ts';

/** Modules of white around the code, which scanners need. */
const QUIET = 4;
/** Drawing a code takes ten times as long as the rest of the page, so those of the last pages are kept: about 4 kB each. */
const drawn = new LRUCache<string, { side: number; runs: string }>({ maxSize: 2_000, sizeCalculation: () => 1 });

/** An inline SVG, one line per run of dark modules: about a third of the usual size. */
export function qrCode(text: string, label: Html): Html {
  const { side, runs } = drawn.get(text) ?? draw(text);
  return new Html(
    `<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label="${label.text}" shape-rendering="crispEdges">` +
      `<path fill="#fff" d="M0 0h${side}v${side}H0z"/><path stroke="#000" d="${runs}"/></svg>`,
  );
}

function draw(text: string) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((dark) => (dark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index + QUIET} ${y + QUIET}.5h${run.length}`),
  );
  const code = { side: size + 2 * QUIET, runs: runs.join('') };
  drawn.set(text, code);
  return code;
}
