import type { Config } from './config.ts';
import type { Demo } from './demo.ts';

/** What a first look needs: the addresses, the keys (this once) and one line to paste. */
export function banner(config: Config, demo: Demo | undefined): string {
  const lines = [
    '',
    '  Wayfare is serving',
    '',
    `  sandbox  ${config.sandboxBaseUrl.href}`,
    `  live     ${config.liveBaseUrl.href}`,
    `  legacy   ${config.legacyBaseUrl.href}`,
    `  panel    ${config.panelUrl.href}`,
    '',
  ];
  if (demo) {
    lines.push(
      `  Demo partner ${demo.partnerId}, keys shown this once:`,
      `  sandbox key  ${demo.sandboxKey}`,
      `  live key     ${demo.liveKey}`,
      '',
      '  Buy a first sandbox eSIM:',
      `  curl -s -H 'X-API-Key: ${demo.sandboxKey}' -d product_id=${demo.productId} ${config.sandboxBaseUrl.href}/purchase/buy`,
    );
  } else {
    lines.push('  New key: npm run -s wayfare -- key create --partner PARTNER_ID --mode sandbox');
  }
  return `${lines.join('\n')}\n\n`;
}
