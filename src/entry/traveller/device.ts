import type { IncomingHttpHeaders } from 'node:http';
import type { Device } from './view.ts';

/** An iPad asks for pages as a computer does, and shows them on a screen that can be scanned. */
export function deviceOf(userAgent = ''): Device {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'iphone';
  return /Android/.test(userAgent) ? 'android' : 'other';
}

/** Messengers open every link to draw a preview, and browsers some in advance. Neither is somebody who looks at the page. */
export function isPerson(headers: IncomingHttpHeaders): boolean {
  const purpose = String(headers['sec-purpose'] ?? headers.purpose ?? '');
  const isPreview = /bot\b|crawl|spider|preview|facebookexternalhit|whatsapp|slack|discord|skype|viber/i;
  return !purpose.includes('prefetch') && !isPreview.test(headers['user-agent'] ?? '');
}
