import type { Config } from '../../platform/settings/config.ts';
import type { Demo } from '../../worlds/demo.ts';

/** What a newcomer needs: the addresses this process serves and, on the first start only, keys, links to the panel and the console, and a command to paste. */
export function banner(config: Config, served: readonly string[], demo: Demo | undefined): string {
  const addresses = Object.entries({
    sandbox: config.sandboxBaseUrl,
    live: config.liveBaseUrl,
    legacy: config.legacyBaseUrl,
    panel: config.panelUrl,
  })
    .filter(([environment]) => served.includes(environment))
    .map(([environment, url]) => `  ${environment.padEnd(7)}  ${url.href}`);
  const title = addresses.length > 0 ? '  Wayfare is serving' : '  Wayfare is running its background jobs';
  const keys = demo
    ? demoKeys(config, demo)
    : [
        '  Panel link:    npm run -s wayfare -- member invite --partner PARTNER_ID --email EMAIL',
        '  Console link:  npm run -s wayfare -- operator invite --email EMAIL',
        '  New key:       npm run -s wayfare -- key create --partner PARTNER_ID --mode sandbox',
        '',
      ].join('\n');
  return `${['', title, '', ...addresses, ''].join('\n')}\n${keys}\n`;
}

/** The demo partner's keys and the links exist nowhere else, so they are shown even if the start fails after making them. */
export function demoKeys(config: Config, demo: Demo): string {
  const first = `-d product_id=${demo.productId} ${config.sandboxBaseUrl.href}/purchase/buy`;
  return [
    `  Demo partner ${demo.partnerId}. Its keys and the links are shown only this once:`,
    `  sandbox key  ${demo.sandboxKey}`,
    `  live key     ${demo.liveKey}`,
    '',
    `  Open the panel:   ${demo.link}`,
    ...(demo.operatorLink === undefined ? [] : [`  Open the console: ${demo.operatorLink}`]),
    '',
    '  Buy a first sandbox eSIM:',
    `  curl -s -H 'X-API-Key: ${demo.sandboxKey}' ${first}`,
    '',
  ].join('\n');
}
