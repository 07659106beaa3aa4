import { renderSVG } from 'uqr';
import type { ClientAddress } from '../http/client-address.ts';
import { notFound, page, type SiteRoute } from '../site/routes.ts';
import type { CrowdRead } from './crowd.ts';

/** Undefined: the address was not signed by us. The code is undefined once the eSIM was withdrawn. */
export type FindQr = (token: string) => { activationCode(): Promise<string | undefined> } | undefined;

/**
 * The QR code of an eSIM, at the signed address given in its order. No key is needed, so the database is only read through `read`,
 * and only for an address we signed.
 */
export function qrRoutes(findQr: FindQr, read: CrowdRead, clientAddress: ClientAddress): SiteRoute[] {
  return [
    {
      verb: 'GET',
      path: '/qr/{file}',
      async handle({ params, request }) {
        const token = /^(.*)\.svg$/.exec(params.file ?? '')?.[1];
        const found = token === undefined ? undefined : findQr(token);
        const code = found && (await read(`qr ${token}`, clientAddress(request), found.activationCode));
        if (code === undefined) return notFound;
        return page(200, 'image/svg+xml', renderSVG(code, { border: 2 }));
      },
    },
  ];
}
