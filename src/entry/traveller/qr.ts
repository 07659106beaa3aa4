import { LRUCache } from 'lru-cache';
import { renderSVG } from 'uqr';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import { notFound, page, type SiteRoute } from '../site/routes.ts';
import type { CrowdRead } from './crowd.ts';

/** Undefined: the address was not signed by us. The code is undefined once the eSIM was withdrawn. */
export type FindQr = (token: string) => { activationCode(): Promise<string | undefined> } | undefined;

/** Images of the last codes, about 10 kB each. */
const KEPT_IMAGES = 500;

/**
 * The QR code of an eSIM, at the signed address given in its order. No key is needed, so the database is only read through `read`,
 * and only for an address we signed.
 *
 * Drawing takes longer than everything else here and keeps the event loop busy, so it belongs to the shared read, and the image
 * of a code is kept. It is found by the code, never by the address: the read decides whether an address still works.
 */
export function qrRoutes(
  findQr: FindQr,
  read: CrowdRead,
  clientAddress: ClientAddress,
  draw: (code: string) => string = (code) => renderSVG(code, { border: 2 }),
): SiteRoute[] {
  const images = new LRUCache<string, string>({ max: KEPT_IMAGES });

  function imageOf(code: string): string {
    const image = images.get(code) ?? draw(code);
    images.set(code, image);
    return image;
  }

  return [
    {
      verb: 'GET',
      path: '/qr/{file}',
      async handle({ params, request }) {
        const token = /^(.*)\.svg$/.exec(params.file ?? '')?.[1];
        const found = token === undefined ? undefined : findQr(token);
        const image =
          found &&
          (await read(`qr ${token}`, clientAddress(request), async () => {
            const code = await found.activationCode();
            return code === undefined ? undefined : imageOf(code);
          }));
        return image === undefined ? notFound : page(200, 'image/svg+xml', image);
      },
    },
  ];
}
