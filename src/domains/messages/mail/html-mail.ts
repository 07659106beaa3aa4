import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'uqr';
import { Html, html } from '../../../platform/contract/html.ts';
import { contrast, palette, READABLE, textOn } from '../../../platform/contract/palette.ts';
import { DEFAULT_COLOR } from '../../../platform/settings/site.ts';
import { languages } from '../texts/texts.ts';
import type { Paragraph } from './letters.ts';
import type { Content, Layout } from './queue.ts';
import type { Attached } from './send.ts';

/**
 * The same mail for programs that show more than text: one plain template for all of them. Mail programs know tables and styles at the
 * element, and little else; some turn colours around in the dark by themselves, the others read the few rules below. Nothing is loaded: pictures
 * come with the mail, so opening it tells nobody.
 */

/** Whose mail it is. */
export interface MailBrand {
  readonly name: string;
  readonly color: string | null | undefined;
  readonly logo: { readonly type: string; readonly bytes: Buffer } | null | undefined;
}

/** The eSIM of a mail, in its language. */
export interface MailedEsim {
  readonly place: string;
  /** Null: it no longer says what the eSIM has. */
  readonly title: string | null;
  readonly data: string;
  readonly days: string;
  readonly activationCode: string;
  readonly confirmationCode: string | null;
  readonly isTest: boolean;
}

const { light: LIGHT, dark: DARK } = palette;
const FONT = `Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
/** What mail programs draw: no SVG. A larger logo would make every mail as heavy. */
const drawn = /^image\/(png|webp)$/;
const MAX_LOGO_BYTES = 100 * 1024;

const inTheDark = `@media (prefers-color-scheme:dark){.page{background:${DARK.page}!important}.card{background:${DARK.card}!important;border-color:${DARK.line}!important}.ink{color:${DARK.ink}!important}.soft{color:${DARK.soft}!important}.quote{border-color:${DARK.line}!important}.logo{background:#fff;padding:4px 8px;border-radius:6px}}`;

export function htmlMail(
  { subject }: Pick<Content, 'subject'>,
  { paragraphs, footer, language }: Layout,
  { name, color, logo }: MailBrand,
  esim: MailedEsim | undefined,
) {
  const { locale, dir } = languages[language];
  const brand = color ?? DEFAULT_COLOR;
  const shownLogo = logo && drawn.test(logo.type) && logo.bytes.length <= MAX_LOGO_BYTES ? logo : undefined;
  const mark = shownLogo
    ? html`<img class="logo" src="cid:logo" alt="${name}" height="40" style="display:block;height:40px;max-width:220px;border:0">`
    : html`<span class="ink" style="font-size:18px;line-height:28px;font-weight:700;color:${LIGHT.ink}">${name}</span>`;
  const { text } = html`<!doctype html>
<html lang="${locale.replace(/-u-.*/, '')}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${subject}</title><style>${new Html(inTheDark)}</style></head>
<body class="page" style="margin:0;padding:0;background:${LIGHT.page}">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" dir="${dir}" style="background:${LIGHT.page}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;table-layout:fixed;word-break:break-word;font-family:${new Html(FONT)}">
<tr><td style="padding:0 4px 16px">${mark}</td></tr>
<tr><td class="card" style="background:${LIGHT.card};border:1px solid ${LIGHT.line};border-radius:12px;padding:24px">
${esim && pass(esim, language, brand)}
${paragraphs.map((paragraph) => block(paragraph, brand))}
${esim && scan(esim, language)}
</td></tr>
<tr><td class="soft" style="padding:16px 4px;font-size:13px;line-height:20px;color:${LIGHT.soft}">${footer}</td></tr>
</table></td></tr></table>
</body></html>
`;
  return {
    html: text,
    pictures: [
      ...(shownLogo ? [picture('logo', shownLogo.type, shownLogo.bytes)] : []),
      ...(esim ? [picture('qr', 'image/png', qrImage(esim.activationCode))] : []),
    ],
  };
}

const picture = (cid: string, type: string, bytes: Buffer): Attached => ({
  cid,
  name: `${cid}.${type.split('/')[1]}`,
  type,
  bytes,
});

function block(paragraph: Paragraph, brand: string): Html {
  if (typeof paragraph === 'string')
    return html`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:${LIGHT.ink}">${paragraph}</p>`;
  if ('quote' in paragraph)
    return html`<p class="ink quote" style="margin:0 0 16px;padding:0 16px;border-inline-start:3px solid ${LIGHT.line};font-size:16px;line-height:24px;color:${LIGHT.ink}">${paragraph.quote}</p>`;
  // A colour that the card swallows gets an edge.
  const edge = contrast(brand, LIGHT.card) < READABLE ? LIGHT.ink : brand;
  return html`<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px"><tr><td style="border-radius:8px;background:${brand};border:1px solid ${edge}"><a href="${paragraph.link}" style="display:inline-block;padding:12px 20px;font-size:16px;line-height:24px;font-weight:600;color:${textOn(brand)};text-decoration:none">${paragraph.label}</a></td></tr></table>`;
}

/** Where it is for, and what it has: as on its page. */
function pass({ place, title, data, days, isTest }: MailedEsim, language: Layout['language'], brand: string): Html {
  const texts = languages[language];
  const on = textOn(brand);
  const [left, right] = languages[language].dir === 'rtl' ? [8, 20] : [20, 8];
  const cell = (name: string, value: string) =>
    html`<td width="50%" style="padding:16px ${right}px 16px ${left}px;word-break:normal;vertical-align:top;color:${on}"><div style="font-size:13px;line-height:20px">${name}</div><div style="font-size:22px;line-height:28px;font-weight:700">${value}</div></td>`;
  return html`${isTest && html`<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;font-weight:600;color:${LIGHT.ink}">${texts.testNotice}</p>`}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 24px;background:${brand};border-radius:12px">
<tr><td colspan="2" style="padding:20px 20px 4px;color:${on}"><h1 style="margin:0;font-size:28px;line-height:32px;letter-spacing:-.02em;color:${on}">${place}</h1>${title !== null && html`<div style="padding-top:4px;font-size:16px;line-height:24px"><span dir="auto">${title}</span></div>`}</td></tr>
<tr>${cell(texts.data, data)}${cell(texts.validity, days)}</tr></table>`;
}

/** For reading the mail on another screen than the phone. */
function scan({ confirmationCode }: MailedEsim, language: Layout['language']): Html {
  const { qr, manual } = languages[language];
  return html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin-top:8px"><tr><td align="center">
<h2 class="ink" style="margin:0 0 4px;font-size:16px;line-height:24px;color:${LIGHT.ink}">${qr.title}</h2>
<p class="soft" style="margin:0 0 16px;font-size:16px;line-height:24px;color:${LIGHT.soft}">${qr.scan}</p>
<img src="cid:qr" alt="${qr.label}" width="220" height="220" style="display:block;width:220px;height:220px;border:1px solid ${LIGHT.line};border-radius:12px;background:#fff">
${confirmationCode !== null && html`<p class="ink" style="margin:16px 0 0;font-size:16px;line-height:24px;color:${LIGHT.ink}">${manual.confirmation}: <b dir="ltr">${confirmationCode}</b></p>`}
</td></tr></table>`;
}

/** Modules of white around the code, which scanners need. */
const QUIET = 4;
/** Pixels across, at least: twice as many as it is shown with, for sharp screens. */
const LEAST_SIDE = 440;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A QR code as a picture of black and white pixels: mail programs show no SVG. */
export function qrImage(text: string): Buffer {
  const { data, size } = encode(text, { border: QUIET, ecc: 'M' });
  const scale = Math.ceil(LEAST_SIDE / size);
  const side = size * scale;
  const lines = data.flatMap((row) => {
    // Each line begins with its filter (none); then eight pixels a byte, the first one highest, white being 1.
    const line = Buffer.alloc(1 + Math.ceil(side / 8));
    for (let x = 0; x < side; x++)
      if (!row[Math.floor(x / scale)]) line[1 + (x >> 3)] = (line[1 + (x >> 3)] as number) | (0x80 >> (x & 7));
    return Array<Buffer>(scale).fill(line);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit of grey.
  header[8] = 1;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
