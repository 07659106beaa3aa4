import { Refused } from '../contract/refused.ts';

/*
 * A drawing made safe by writing it again from what we understood. The file is read by a parser that knows little more than tags
 * and quoted attributes and refuses the rest: document types and entities, CDATA, processing instructions. What was read is
 * compared with lists of what a logo needs. Notes that editors leave (comments, metadata, attributes of their own) are dropped;
 * any other element or attribute refuses the file with its name, so that its owner can export it differently. Nothing of the
 * input is copied except values that match their attribute's pattern.
 */

const ELEMENTS = new Set(
  'svg g path rect circle ellipse line polyline polygon defs linearGradient radialGradient stop clipPath mask'.split(
    ' ',
  ),
);
/** Dropped with all they contain. */
const NOTES = /^(title|desc|metadata|[\w-]+:[\w:-]+)$/;
const IGNORED =
  /^(xmlns(:[\w-]+)?|version|baseProfile|class|data-[\w-]+|aria-[\w-]+|role|[\w-]+:[\w:-]+|enable-background)$/;

const NUMBERS = /^[\d\s.,+\-eE%a-z]{0,400}$/;
const WORD = /^[a-zA-Z-]{1,40}$/;
const PAINT = /^(none|currentColor|[a-zA-Z]{1,30}|#[0-9a-fA-F]{3,8}|rgba?\([\d\s.,%/]{1,60}\)|url\(#[\w-]{1,100}\))$/;
const LOCAL = /^(none|url\(#[\w-]{1,100}\))$/;
const TRANSFORM = /^[\w\s.,+\-()]{0,1000}$/;

const attributes = new Map<string, RegExp>([
  ...'x y x1 x2 y1 y2 cx cy r rx ry fx fy fr width height viewBox offset'.split(' ').map(of(NUMBERS)),
  ...'stroke-width stroke-miterlimit stroke-dasharray stroke-dashoffset opacity'.split(' ').map(of(NUMBERS)),
  ...'fill-opacity stroke-opacity stop-opacity'.split(' ').map(of(NUMBERS)),
  ...'fill stroke stop-color color'.split(' ').map(of(PAINT)),
  ...'clip-path mask'.split(' ').map(of(LOCAL)),
  ...'fill-rule clip-rule stroke-linecap stroke-linejoin gradientUnits spreadMethod'.split(' ').map(of(WORD)),
  ...'clipPathUnits maskUnits maskContentUnits display visibility overflow'.split(' ').map(of(WORD)),
  ...'transform gradientTransform'.split(' ').map(of(TRANSFORM)),
  ['preserveAspectRatio', /^[a-zA-Z ]{1,40}$/],
  ['id', /^[\w-]{1,100}$/],
  ['d', /^[\d\s.,+\-eEMmLlHhVvCcSsQqTtAaZz]*$/],
  ['points', /^[\d\s.,+\-eE]*$/],
  // A gradient may take its colours from another one; no other element we keep follows it.
  ['href', /^#[\w-]{1,100}$/],
]);

function of(pattern: RegExp): (name: string) => [string, RegExp] {
  return (name) => [name, pattern];
}

const TAG = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const MAX_DEPTH = 50;
const MAX_ELEMENTS = 5_000;

const refuse = (why: string): Refused => new Refused('unsafe_logo', `this SVG file cannot be used: ${why}`);

export const isSvg = (file: Buffer): boolean =>
  /^\uFEFF?\s*<(\?xml|!--|!DOCTYPE svg|svg)/.test(file.toString('utf8', 0, 200));

export function cleanSvg(file: Buffer): Buffer {
  const text = withoutComments(decoded(file))
    .trim()
    .replace(/^<\?xml[^?<>]*\?>\s*/, '')
    .replace(/^<!DOCTYPE svg[^[\]<>]*>\s*/, '');
  const open: string[] = [];
  let [written, count, dropped] = ['', 0, 0];
  for (let at = 0; at < text.length; ) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (!tag) {
      // Text between tags is drawn nowhere, as we keep no element that shows it.
      const next = text.indexOf('<', at);
      if (next <= at || open.length === 0) throw refuse('it holds something other than plain elements');
      at = next;
      continue;
    }
    at = TAG.lastIndex;
    const [, closing, name = '', given = '', empty] = tag;
    if (closing) {
      if (open.pop() !== name || given !== '') throw refuse('its elements do not nest');
      if (dropped > 0) dropped -= 1;
      else written += `</${name}>`;
      if (open.length === 0 && at < text.length) throw refuse('it goes on after its end');
      continue;
    }
    if (++count > MAX_ELEMENTS || open.length > MAX_DEPTH) throw refuse('it is too complicated');
    if ((open.length === 0) !== (name === 'svg' && count === 1)) throw refuse('it is not one drawing');
    if (!empty) open.push(name);
    if (dropped > 0 || NOTES.test(name)) {
      if (!empty) dropped += 1;
      continue;
    }
    if (!ELEMENTS.has(name)) throw refuse(`<${name}> is not allowed`);
    written += `<${name}${count === 1 ? ' xmlns="http://www.w3.org/2000/svg"' : ''}${cleanAttributes(given)}${empty ? '/' : ''}>`;
  }
  if (open.length > 0 || count === 0) throw refuse('it is not complete');
  return Buffer.from(written);
}

function decoded(file: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file);
  } catch {
    throw refuse('it is not written in UTF-8');
  }
}

function withoutComments(text: string): string {
  let [kept, at] = ['', 0];
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4);
    if (end < 0) throw refuse('a comment has no end');
    kept += text.slice(at, start);
    at = end + 3;
  }
  return kept + text.slice(at);
}

function cleanAttributes(given: string): string {
  const kept = new Map<string, string>();
  for (const [, name = '', double, single] of given.matchAll(ATTRIBUTE)) {
    const value = (double ?? single ?? '').trim();
    if (name === 'style') for (const [property, set] of declarations(value)) keep(property, set);
    else keep(name === 'xlink:href' ? 'href' : name, value);
  }
  return [...kept].map(([name, value]) => ` ${name}="${value}"`).join('');

  function keep(name: string, value: string): void {
    const pattern = attributes.get(name);
    if (!pattern && IGNORED.test(name)) return;
    if (!pattern) throw refuse(`the attribute ${name} is not allowed`);
    if (!pattern.test(value)) throw refuse(`the attribute ${name} has a value that is not allowed`);
    kept.set(name, value);
  }
}

/** What an inline style sets, as attributes. Properties that do not matter to a drawing are dropped. */
function declarations(style: string): (readonly [string, string])[] {
  return style.split(';').flatMap((declaration) => {
    const [property = '', value = ''] = declaration.split(/:(.*)/s).map((part) => part.trim());
    if (/url\((?!#)|\\|@/i.test(value)) throw refuse('its style points outside');
    return attributes.has(property) && property !== 'd' ? [[property, value] as const] : [];
  });
}
